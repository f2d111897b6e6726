import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** A name server for tests, which knows TXT records alone. */
export interface TestNameServer {
  /** Its address and port, as `DNS_SERVERS` takes it. */
  readonly address: string
  /** The records by name; others do not exist. */
  readonly records: Map<string, readonly string[]>
  /** While true, it answers with a failure. */
  isBroken: boolean
  close(): Promise<void>
}

const txt_type = 16
const header_bytes = 12

/** The labels of the question, and where they end. */
function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = header_bytes
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

/** One TXT record whose name is a pointer to the question (RFC 1035 4.1.4). */
function toRecord(text: string): Buffer {
  const bytes = Buffer.from(text)
  const parts = Array.from({ length: Math.max(1, Math.ceil(bytes.length / 255)) }, (_, at) => {
    const part = bytes.subarray(at * 255, (at + 1) * 255)
    return Buffer.concat([Buffer.from([part.length]), part])
  })
  const data = Buffer.concat(parts)
  const fields = Buffer.alloc(12)
  fields.writeUInt16BE(0xc0_0c, 0)
  fields.writeUInt16BE(txt_type, 2)
  fields.writeUInt16BE(1, 4)
  fields.writeUInt32BE(1, 6)
  fields.writeUInt16BE(data.length, 10)
  return Buffer.concat([fields, data])
}

function toResponse(query: Buffer, { records, isBroken }: Pick<TestNameServer, 'records' | 'isBroken'>): Buffer {
  const { name, end } = readName(query)
  const question = query.subarray(header_bytes, end + 4)
  const isText = query.readUInt16BE(end) === txt_type
  const values = isText && !isBroken ? (records.get(name) ?? []) : []
  const header = Buffer.alloc(header_bytes)
  query.copy(header, 0, 0, 2)
  const code = isBroken ? 2 : records.has(name) ? 0 : 3
  header.writeUInt16BE(0x84_00 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(values.length, 6)
  return Buffer.concat([header, question, ...values.map(toRecord)])
}

/** Starts it on a free port of this machine. */
export async function startTestNameServer(): Promise<TestNameServer> {
  const socket = createSocket('udp4')
  const server: TestNameServer = {
    address: '',
    records: new Map(),
    isBroken: false,
    close: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
  socket.on('message', (query, { port, address }) => socket.send(toResponse(query, server), port, address))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return Object.assign(server, { address: `127.0.0.1:${socket.address().port}` })
}
