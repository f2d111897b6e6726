import { getFieldErrors, type Problem } from '../engine/problem.ts'
import { escapeHtml } from '../platform/html/escape-html.ts'
/** An error in the WMTS parameters of a request, sent as an OWS exception report (OGC 06-121r3, clause 8). */
export class OwsException extends Error {
  readonly code: OwsExceptionCode
  /** The parameter that it is about; null for the request as a whole. */
  readonly locator: string | null
  readonly status: number

  constructor(code: OwsExceptionCode, locator: string | null, message: string, status = statusOf(code)) {
    super(message)
    this.name = 'OwsException'
    this.code = code
    this.locator = locator
    this.status = status
  }
}

type OwsExceptionCode = 'MissingParameterValue' | 'InvalidParameterValue' | 'OperationNotSupported' | 'NoApplicableCode'

/** WMTS 1.0.0, table 22. */
const statusOf = (code: OwsExceptionCode): number => (code === 'OperationNotSupported' ? 501 : 400)

/** A problem as an exception, with its status. */
export function toOwsException(problem: Problem): OwsException {
  const [field] = getFieldErrors(problem) ?? []
  return field
    ? new OwsException('InvalidParameterValue', field.path.toUpperCase(), problem.message, 400)
    : new OwsException('NoApplicableCode', null, problem.message, problem.status)
}

type WmtsParameters = Readonly<Record<string, unknown>>

/** The operation of each `REQUEST` value. */
const operationByRequest: ReadonlyMap<string, string> = new Map([
  ['getcapabilities', 'items.tile.wmts_capabilities'],
  ['gettile', 'items.tile.wmts_get_tile'],
])

const formatByMediaType: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/webp', 'webp'],
])

/** Input fields by WMTS parameter name. */
const fieldByParameter: ReadonlyMap<string, string> = new Map([
  ['tilematrix', 'z'],
  ['tilecol', 'x'],
  ['tilerow', 'y'],
])
const inputFields: ReadonlySet<string> = new Set(['z', 'x', 'y', 'format', 'profile', 'asset_key', 'key'])

const allowedValues: Readonly<Record<string, RegExp>> = {
  service: /^wmts$/i,
  version: /^1\.0\.0$/,
  style: /^(default)?$/i,
  tilematrixset: /^GoogleMapsCompatible$/i,
}

const lastText = (value: unknown): string => String(Array.isArray(value) ? value.at(-1) : value)

const lowerCaseNames = (query: WmtsParameters): Map<string, string> =>
  new Map(Object.entries(query).map(([name, value]) => [name.toLowerCase(), lastText(value)]))

/** The operation that `REQUEST` names, else the default of the route. */
export const findWmtsOperation = (query: WmtsParameters, default_operation: string): string =>
  operationByRequest.get(lowerCaseNames(query).get('request')?.toLowerCase() ?? '') ?? default_operation

/**
 * Converts WMTS KVP parameters, with names in any case, to input fields. Version, style and tile matrix set must have their
 * only supported value if present; unknown parameters are ignored, as OGC requires.
 */
export function parseWmtsParameters(query: WmtsParameters, layer: string): Record<string, string> {
  const parameters = lowerCaseNames(query)
  const request = parameters.get('request')
  if (request !== undefined && !operationByRequest.has(request.toLowerCase())) {
    throw new OwsException('OperationNotSupported', 'REQUEST', 'REQUEST must be GetCapabilities or GetTile.')
  }
  for (const [name, pattern] of Object.entries(allowedValues)) {
    const value = parameters.get(name)
    if (value !== undefined && !pattern.test(value)) throw invalidParameter(name)
  }
  const layerParameter = parameters.get('layer')
  if (layerParameter !== undefined && layerParameter.toLowerCase() !== layer.toLowerCase())
    throw invalidParameter('layer')
  const entries = [...parameters].map(([name, value]) => [fieldByParameter.get(name) ?? name, value] as const)
  const format = parameters.get('format')
  return {
    ...Object.fromEntries(entries.filter(([name]) => inputFields.has(name))),
    ...(format === undefined ? {} : { format: parseFormat(format) }),
  }
}

/** A media type, or a format name of this API. */
function parseFormat(text: string): string {
  const format_name = formatByMediaType.get(text.toLowerCase()) ?? text
  if (format_name.includes('/')) throw invalidParameter('format')
  return format_name
}

const invalidParameter = (name: string): OwsException =>
  new OwsException('InvalidParameterValue', name.toUpperCase(), `The value of ${name.toUpperCase()} is not supported.`)

/** Renders an OWS exception report (OGC 06-121r3, 8). */
export const renderOwsExceptionReport = ({ code, locator, message }: OwsException): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<ExceptionReport xmlns="http://www.opengis.net/ows/1.1" version="1.1.0" xml:lang="en">
<Exception exceptionCode="${code}"${locator === null ? '' : ` locator="${escapeHtml(locator)}"`}><ExceptionText>${escapeHtml(message)}</ExceptionText></Exception>
</ExceptionReport>
`
