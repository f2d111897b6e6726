import { routeDeprecationDates, type ContractRoute } from '@swath/contract/routes.ts'

type DeprecationHeadersOf = (params: Readonly<Record<string, string>>, base: string) => Record<string, string>

const startOfDay = (day: string): Date => new Date(`${day}T00:00:00Z`)
const deprecated = `@${startOfDay(routeDeprecationDates.since).getTime() / 1000}`
const sunset = startOfDay(routeDeprecationDates.sunset).toUTCString()

/**
 * The headers of a deprecated route: since when (RFC 9745), until when (RFC 8594), and the absolute URL of its successor
 * with the path values of the request. Null for routes that are not deprecated.
 */
export function createDeprecationHeaders({ successor }: Pick<ContractRoute, 'successor'>): DeprecationHeadersOf | null {
  if (successor === undefined) return null
  return (params, base) => {
    const path = successor.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''))
    return { deprecation: deprecated, sunset, link: `<${base}${path}>; rel="successor-version"` }
  }
}
