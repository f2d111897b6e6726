/** The domains that a screen shows; the provider chooses among the same. */
export const domainsInput = { limit: 100 } as const
