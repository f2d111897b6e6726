import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly form: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export interface Canned {
  readonly status: number
  readonly body: unknown
}

/** A server that returns the configured responses in turn and records the requests. */
export async function openCannedStripe() {
  const asked: Asked[] = []
  const answers: Canned[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url = '', headers } = request
      asked.push({ method, path: url, form: Object.fromEntries(new URLSearchParams(body)), headers })
      const answer = answers.shift() ?? { status: 500, body: { error: { message: 'no response was configured' } } }
      response.writeHead(answer.status, { 'content-type': 'application/json', 'stripe-should-retry': 'false' })
      response.end(JSON.stringify(answer.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    /** Sets the responses to the next requests. */
    say: (...next: readonly Canned[]): void => {
      asked.length = 0
      answers.splice(0, answers.length, ...next)
    },
    close: (): void => {
      server.close()
      server.closeAllConnections()
    },
  }
}
