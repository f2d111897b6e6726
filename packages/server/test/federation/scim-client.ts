import type { Client } from '@swath/client/client.ts'

export interface ScimAnswer {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- documents of any type
  readonly body: any
}

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** A directory that provisions the people of an organization. */
export class ScimClient {
  readonly token: string
  readonly token_id: string
  private readonly baseUrl: string

  constructor(baseUrl: string, token: string, token_id = '') {
    this.baseUrl = baseUrl
    this.token = token
    this.token_id = token_id
  }

  /** With a new token of the organization of a client. */
  static async create(client: Client): Promise<ScimClient> {
    const created = await client.call<{ token: string; base_url: string; scim_token: { id: string } }>(
      'organizations.scim_tokens.create',
      { name: 'Directory' },
    )
    return new ScimClient(created.base_url, created.token, created.scim_token.id)
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ScimAnswer> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/scim+json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
  }

  get(path: string, headers: Record<string, string> = {}): Promise<ScimAnswer> {
    return this.send('GET', path, undefined, headers)
  }

  createUser(userName: string, more: object = {}): Promise<ScimAnswer> {
    return this.send('POST', '/Users', { schemas: [userSchema], userName, ...more })
  }

  createGroup(displayName: string, members: readonly string[] = []): Promise<ScimAnswer> {
    const list = members.map((value) => ({ value }))
    return this.send('POST', '/Groups', { schemas: [groupSchema], displayName, members: list })
  }

  patch(path: string, ...operations: readonly object[]): Promise<ScimAnswer> {
    return this.send('PATCH', path, { schemas: [patchSchema], Operations: operations })
  }

  async find(filter: string, type = 'Users'): Promise<ScimAnswer['body'][]> {
    const { status, body } = await this.get(`/${type}?filter=${encodeURIComponent(filter)}`)
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body.Resources
  }
}
