import { createServer, type Server } from 'node:http'
import { text as readStream } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'

export interface ReceivedCall {
  readonly path: string
  readonly body: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export interface FakeAnswer {
  readonly status?: number
  readonly body: unknown
}

/** A server that answers each path as a test says, and remembers the calls. */
export interface FakeServer {
  readonly address: string
  readonly calls: ReceivedCall[]
  close(): Promise<void>
}

export async function startFakeServer(answer: (call: ReceivedCall) => FakeAnswer): Promise<FakeServer> {
  const calls: ReceivedCall[] = []
  const server: Server = createServer((request, response) => {
    void readStream(request).then((body) => {
      const call = { path: request.url ?? '', body, headers: request.headers }
      calls.push(call)
      const { status = 200, body: reply } = answer(call)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    calls,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** A problem document. */
export const createProblem = (type: string, status: number, detail: string): FakeAnswer => ({
  status,
  body: { type: `https://swath.example.org/problems/${type}`, title: 'Refused', status, detail },
})
