/** The document that says where tokens for this server come from (RFC 9728). */
export const protectedResourcePath = '/.well-known/oauth-protected-resource'

/** The challenge of a 401 or 403 (RFC 6750 3, RFC 9728 5.1). */
export function formatBearerChallenge(baseUrl: string, parameters: Readonly<Record<string, string>>): string {
  const all = { ...parameters, resource_metadata: `${baseUrl}${protectedResourcePath}` }
  return `Bearer ${Object.entries(all)
    .map(([name, value]) => `${name}="${value.replaceAll(/["\\\s]/g, ' ')}"`)
    .join(', ')}`
}
