/** The kinds of errors of RFC 7644 3.12. */
export type ScimErrorType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

/** An error response of SCIM. */
export class ScimProblem extends Error {
  readonly status: number
  readonly scimType: ScimErrorType | null

  constructor(status: number, detail: string, scimType: ScimErrorType | null = null) {
    super(detail)
    this.status = status
    this.scimType = scimType
  }
}

export const invalidValue = (detail: string): ScimProblem => new ScimProblem(400, detail, 'invalidValue')
export const invalidPath = (detail: string): ScimProblem => new ScimProblem(400, detail, 'invalidPath')
export const invalidSyntax = (detail: string): ScimProblem => new ScimProblem(400, detail, 'invalidSyntax')
export const invalidFilter = (detail: string): ScimProblem => new ScimProblem(400, detail, 'invalidFilter')

export const unknownResource = (id: string): ScimProblem =>
  new ScimProblem(404, `There is no resource with the id "${id.slice(0, 100)}".`)

export const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** The document of an error; the status is a text in it. */
export const toErrorDocument = ({ status, scimType, message }: ScimProblem): Readonly<Record<string, unknown>> => ({
  schemas: [errorSchema],
  status: String(status),
  ...(scimType === null ? {} : { scimType }),
  detail: message,
})
