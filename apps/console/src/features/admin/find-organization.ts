import { isUuid } from '../../api/is-uuid.ts'

interface NamedOrganization {
  readonly id: string
  readonly name: string
}

/**
 * The organization that a text means: by its id, or by its name, of which upper and lower case do not matter.
 *
 * @returns `none` if no organization has this name, `several` if more than one has it and only an id tells them apart.
 */
export function findOrganization(
  organizations: readonly NamedOrganization[],
  text: string,
): { readonly id: string } | 'none' | 'several' {
  if (isUuid(text)) return { id: text.toLowerCase() }
  const named = organizations.filter(({ name }) => name.toLowerCase() === text.toLowerCase())
  if (named.length > 1) return 'several'
  return named[0] ?? 'none'
}
