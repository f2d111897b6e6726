/** The attribution to show with an image: the `attribution` property, else the provider names; null if there is none. */
export function findItemAttribution(properties: Readonly<Record<string, unknown>>): string | null {
  const { attribution, providers } = properties
  if (typeof attribution === 'string') return attribution
  if (!Array.isArray(providers)) return null
  const names = providers.flatMap((provider: unknown) =>
    typeof provider === 'object' && provider !== null && 'name' in provider && typeof provider.name === 'string'
      ? [provider.name]
      : [],
  )
  return names.length === 0 ? null : names.join(', ')
}
