import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly form: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export interface StubResponse {
  readonly status: number
  readonly body: unknown
}

/** A server that returns the configured responses in turn and records the requests. */
export async function startStripeStub() {
  const requests: RecordedRequest[] = []
  const responses: StubResponse[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url = '', headers } = request
      requests.push({ method, path: url, form: Object.fromEntries(new URLSearchParams(body)), headers })
      const nextResponse = responses.shift() ?? {
        status: 500,
        body: { error: { message: 'no response was configured' } },
      }
      response.writeHead(nextResponse.status, { 'content-type': 'application/json', 'stripe-should-retry': 'false' })
      response.end(JSON.stringify(nextResponse.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** Sets the responses to the next requests. */
    respondWith: (...next: readonly StubResponse[]): void => {
      requests.length = 0
      responses.splice(0, responses.length, ...next)
    },
    close: (): void => {
      server.close()
      server.closeAllConnections()
    },
  }
}
