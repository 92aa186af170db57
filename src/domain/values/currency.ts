/**
 * The codes of ISO 4217, list one, in 2026, without those that are not money: metals, units of bonds,
 * special drawing rights, the code for tests and the one for no currency. Intl.supportedValuesOf lacks
 * some of them, has withdrawn ones, and differs between versions of Node.js.
 */
const ACTIVE: ReadonlySet<string> = new Set(
  (
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF ' +
    'CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF ' +
    'IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT ' +
    'MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD ' +
    'SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS ' +
    'VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG'
  ).split(' '),
);

/** Withdrawn since 2010 (list three). Stores from before keep their prices in them. */
const WITHDRAWN: ReadonlySet<string> = new Set('ANG BGN BYR CUC EEK HRK LTL LVL MRO SLL STD VEF ZMK ZWL'.split(' '));

export const isActiveCurrency = (code: string): boolean => ACTIVE.has(code);

export const isCurrency = (code: string): boolean => ACTIVE.has(code) || WITHDRAWN.has(code);

/** Says that a code is not a currency. It follows the name of the field. */
export const currencyRule = (given: string): string => `must be a currency of ISO 4217, such as EUR, and "${given}" is not one`;
