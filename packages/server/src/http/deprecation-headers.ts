import { deprecation, type Route } from '@swath/contract/routes.ts'

type HeadersOf = (params: Readonly<Record<string, string>>, base: string) => Record<string, string>

const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`)
const deprecated = `@${startOf(deprecation.since).getTime() / 1000}`
const sunset = startOf(deprecation.sunset).toUTCString()

/**
 * What every answer of a deprecated address says: since when (RFC 9745), until when (RFC 8594), and where the same is
 * found, as an absolute URL with the values of the request. Null for addresses that are not deprecated.
 */
export function deprecationHeaders({ successor }: Pick<Route, 'successor'>): HeadersOf | null {
  if (successor === undefined) return null
  return (params, base) => {
    const path = successor.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''))
    return { deprecation: deprecated, sunset, link: `<${base}${path}>; rel="successor-version"` }
  }
}
