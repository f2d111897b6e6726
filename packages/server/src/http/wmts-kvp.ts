/** An error in the WMTS parameters of a request, sent as an OWS exception report (OGC 06-121r3, clause 8). */
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

/** The operation of each `REQUEST` value. */
const requests: ReadonlyMap<string, string> = new Map([
  ['getcapabilities', 'items.tile.wmts_capabilities'],
  ['gettile', 'items.tile.wmts_get_tile'],
])

const formats: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/webp', 'webp'],
])

/** Input fields by WMTS parameter name. */
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

/** The operation that `REQUEST` names, else the default of the route. */
export const requestedOf = (query: Query, usual: string): string =>
  requests.get(lowered(query).get('request')?.toLowerCase() ?? '') ?? usual

/**
 * Converts WMTS KVP parameters, with names in any case, to input fields. Version, style and tile matrix set must have their
 * only supported value if present; unknown parameters are ignored, as OGC requires.
 */
export function readWmts(query: Query, layer: string): Record<string, string> {
  const given = lowered(query)
  const request = given.get('request')
  if (request !== undefined && !requests.has(request.toLowerCase())) {
    throw new OgcException('OperationNotSupported', 'REQUEST', 'REQUEST must be GetCapabilities or GetTile.')
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

/** A media type, or a format name of this API. */
function formatOf(text: string): string {
  const word = formats.get(text.toLowerCase()) ?? text
  if (word.includes('/')) throw invalid('format')
  return word
}

const invalid = (name: string): OgcException =>
  new OgcException('InvalidParameterValue', name.toUpperCase(), `The value of ${name.toUpperCase()} is not supported.`)

/** Renders an OWS exception report; nothing in it comes from the request. */
export const exceptionReport = ({ code, locator, message }: OgcException): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<ExceptionReport xmlns="http://www.opengis.net/ows/1.1" version="1.1.0" xml:lang="en">
<Exception exceptionCode="${code}" locator="${locator}"><ExceptionText>${message}</ExceptionText></Exception>
</ExceptionReport>
`
