/** A fault of a WMTS request in what only WMTS knows; told as OGC tells it (OGC 06-121r3, clause 8). */
export class OgcException extends Error {
  readonly code: 'MissingParameterValue' | 'InvalidParameterValue' | 'OperationNotSupported'
  readonly locator: string
  constructor(code: OgcException['code'], locator: string, message: string) {
    super(message)
    this.name = 'OgcException'
    this.code = code
    this.locator = locator
  }

  get status(): 400 | 501 {
    return this.code === 'OperationNotSupported' ? 501 : 400
  }
}

type Query = Readonly<Record<string, unknown>>

/** What each `REQUEST` asks for. */
const requests: ReadonlyMap<string, string> = new Map([
  ['getcapabilities', 'items.tile.wmts_capabilities'],
  ['gettile', 'items.tile.wmts_get_tile'],
])

const formats: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/webp', 'webp'],
])

/** Fields of the input by the names that WMTS has for them. */
const fields: ReadonlyMap<string, string> = new Map([
  ['tilematrix', 'z'],
  ['tilecol', 'x'],
  ['tilerow', 'y'],
])
const ownFields: ReadonlySet<string> = new Set(['z', 'x', 'y', 'format', 'profile', 'asset_key', 'key'])

const only: Readonly<Record<string, RegExp>> = {
  service: /^wmts$/i,
  version: /^1\.0\.0$/,
  style: /^(default)?$/i,
  tilematrixset: /^GoogleMapsCompatible$/i,
}

const textOf = (value: unknown): string => String(Array.isArray(value) ? value.at(-1) : value)

const lowered = (query: Query): Map<string, string> =>
  new Map(Object.entries(query).map(([name, value]) => [name.toLowerCase(), textOf(value)]))

/** The operation that `REQUEST` names, else that of the address. */
export const requestedOf = (query: Query, usual: string): string =>
  requests.get(lowered(query).get('request')?.toLowerCase() ?? '') ?? usual

/**
 * The parameters of a WMTS address as fields of the operation; names in any case. What the one layer has only one of
 * (version, style, grid) must be that one where it is said, and what is not known is left alone, as OGC asks.
 */
export function readWmts(query: Query, layer: string): Record<string, string> {
  const given = lowered(query)
  const request = given.get('request')
  if (request !== undefined && !requests.has(request.toLowerCase())) {
    throw new OgcException('OperationNotSupported', 'REQUEST', 'There are GetCapabilities and GetTile.')
  }
  for (const [name, pattern] of Object.entries(only)) {
    const value = given.get(name)
    if (value !== undefined && !pattern.test(value)) throw invalid(name)
  }
  const named = given.get('layer')
  if (named !== undefined && named.toLowerCase() !== layer.toLowerCase()) throw invalid('layer')
  const entries = [...given].map(([name, value]) => [fields.get(name) ?? name, value] as const)
  const format = given.get('format')
  return {
    ...Object.fromEntries(entries.filter(([name]) => ownFields.has(name))),
    ...(format === undefined ? {} : { format: formatOf(format) }),
  }
}

/** A media type, or a word of ours. */
function formatOf(text: string): string {
  const word = formats.get(text.toLowerCase()) ?? text
  if (word.includes('/')) throw invalid('format')
  return word
}

const invalid = (name: string): OgcException =>
  new OgcException('InvalidParameterValue', name.toUpperCase(), `The service has no such ${name.toUpperCase()}.`)

/** The document of a fault; nothing in it comes from the address. */
export const exceptionReport = ({ code, locator, message }: OgcException): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<ExceptionReport xmlns="http://www.opengis.net/ows/1.1" version="1.1.0" xml:lang="en">
<Exception exceptionCode="${code}" locator="${locator}"><ExceptionText>${message}</ExceptionText></Exception>
</ExceptionReport>
`
