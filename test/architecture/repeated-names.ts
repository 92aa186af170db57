/** Names that more than one module of src exports, from before the rule. This list only gets shorter. */
export const REPEATED: readonly string[] = ['redeliver', 'redeliverFailed'];
