/** `info.version` of the OpenAPI document: rises with each added operation or field, unlike `/v1` in the URLs. */
export const contractVersion = '2.88.0'
