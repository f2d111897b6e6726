/** Answers on every platform, with scenes that cost nothing. */
export const firstCall = { operation: 'catalog.search', input: { host_name: 'open', limit: 5 } } as const
