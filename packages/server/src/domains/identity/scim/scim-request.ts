import type { ScimResource } from './schema.ts'

/** A request of SCIM, as HTTP brings it. */
export interface ScimRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The parts of the path below that of SCIM, decoded. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
  readonly authorization: string | null
  readonly ifMatch: string | null
  readonly ifNoneMatch: string | null
  readonly requestId: string
  /** The IP address of the client, or the block that counts as one. */
  readonly address: string
  /** The URL of the platform, without a trailing slash. */
  readonly baseUrl: string
  /** Reads the body as JSON, once the caller is known. */
  readBody(): Promise<unknown>
}

/** The body is a document of SCIM, or absent. */
export interface ScimResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ScimResource | null
}

export type ScimEndpoint = (request: ScimRequest) => Promise<ScimResponse>
