const filler = (length: number): string => 'Example'.repeat(length).slice(0, length);

/** Credentials of the right shape that nobody holds: their checksums are wrong. */
export const CREDENTIAL_EXAMPLES = {
  clientId: `tnn_cid_${filler(28)}`,
  clientSecret: `tnn_cs_${filler(49)}`,
  signingSecret: `whsec_${filler(43)}=`,
};

export const ACCESS_TOKEN_EXAMPLE = `tnn_at_${filler(49)}`;
export const LOGIN_CODE_EXAMPLE = `tnn_code_${filler(49)}`;
export const OPERATOR_TOKEN_EXAMPLE = `tnn_op_${filler(49)}`;
