/** Throws if the server does not answer. */
export const reachServer = (): Promise<unknown> => fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store' })
