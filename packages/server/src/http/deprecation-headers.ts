import { routesDeprecatedSince, type ContractRoute } from '@swath/contract/routes.ts'

type DeprecationHeadersOf = (params: Readonly<Record<string, string>>, base: string) => Record<string, string>

const deprecated = `@${new Date(`${routesDeprecatedSince}T00:00:00Z`).getTime() / 1000}`

/**
 * The headers of a deprecated route: since when (RFC 9745), and the absolute URL of its successor with the path values of the
 * request. It has no `Sunset`, because deprecated routes stay mounted. Null for routes that are not deprecated.
 */
export function createDeprecationHeaders({ successor }: Pick<ContractRoute, 'successor'>): DeprecationHeadersOf | null {
  if (successor === undefined) return null
  return (params, base) => {
    const path = successor.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''))
    return { deprecation: deprecated, link: `<${base}${path}>; rel="successor-version"` }
  }
}
