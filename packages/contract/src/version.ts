/** `info.version` of the contract document: rises with each operation or field gained; `/v1` in the addresses does not follow it. */
export const contractVersion = '2.2.0'
