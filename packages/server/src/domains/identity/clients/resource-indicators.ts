import { OAuthProblem } from '../oauth.ts'

const max_resources = 5

/**
 * The resources that tokens are for (RFC 8707): URLs of this server or of a path of it. Null without the parameter; the text of an error
 * for any other.
 */
export function parseResources(
  parameters: URLSearchParams,
  baseUrl: string,
): readonly string[] | null | { readonly error: string } {
  const resources = [...new Set(parameters.getAll('resource').filter((resource) => resource !== ''))]
  if (resources.length === 0) return null
  const isOwn = resources.every((resource) => isOwnResource(resource, baseUrl))
  if (isOwn && resources.length <= max_resources) return resources
  return { error: `resource must be ${baseUrl}, or a URL below it, without a fragment.` }
}

function isOwnResource(resource: string, baseUrl: string): boolean {
  if (resource.length > 500 || resource.includes('#') || !URL.canParse(resource)) return false
  const { href } = new URL(resource)
  return href === `${baseUrl}/` || href === baseUrl || href.startsWith(`${baseUrl}/`)
}

/** The resources of a form. Throws `invalid_target`. */
export function readResources(form: URLSearchParams, baseUrl: string): readonly string[] | null {
  const resources = parseResources(form, baseUrl)
  if (resources === null || !('error' in resources)) return resources
  throw new OAuthProblem('invalid_target', resources.error)
}

/** True if tokens may be for these resources, once those were granted. */
export const areGrantedResources = (requested: readonly string[] | null, granted: readonly string[] | null): boolean =>
  requested === null || granted === null || requested.every((resource) => granted.includes(resource))

export const createOtherResourceProblem = (): OAuthProblem =>
  new OAuthProblem('invalid_target', 'The token was granted for another resource.')

/**
 * The resources of a token: those that its request names, among those that were granted; all of these without any. Null for none. Throws
 * `invalid_target` for one that was not granted.
 */
export function chooseResources(
  requested: readonly string[] | null,
  granted: readonly string[] | null,
): readonly string[] | null {
  if (!areGrantedResources(requested, granted)) throw createOtherResourceProblem()
  return requested ?? granted
}
