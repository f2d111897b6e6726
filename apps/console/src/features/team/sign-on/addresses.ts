/** The addresses that a provider or a directory is configured with; the console is open at the address of the server. */
export const scimBaseUrl = (): string => `${location.origin}/scim/v2`

export const providerUrls = (organizationId: string) => {
  const broker = `${location.origin}/realms/public/broker/${organizationId}`
  return { redirect_uri: `${broker}/endpoint`, backchannel_logout_uri: `${broker}/backchannel-logout` }
}
