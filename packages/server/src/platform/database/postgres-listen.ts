import { Client } from 'pg'
import type { ClientConfig } from 'pg'

const firstPause_ms = 500
const longestPause_ms = 30_000

/**
 * Listens to a channel on its own connection, which is reopened whenever it breaks. `onConnect` is called after every
 * connection, since notifications in between are lost. Throws if the first connection fails.
 */
export async function openListener(
  connection: ClientConfig,
  channel: string,
  heard: (payload: string) => void,
  again: () => void,
): Promise<() => Promise<void>> {
  let closed = false
  let current: Client | undefined
  let retry: NodeJS.Timeout | undefined
  let pause_ms = firstPause_ms

  const lose = (client: Client): void => {
    client.removeAllListeners()
    client.on('error', () => undefined)
    void client.end().catch(() => undefined)
    if (closed || current !== client) return
    current = undefined
    retry = setTimeout(() => void connect().catch(() => undefined), pause_ms)
    pause_ms = Math.min(2 * pause_ms, longestPause_ms)
  }

  const connect = async (): Promise<void> => {
    if (closed) return
    const client = new Client(connection)
    current = client
    client.on('error', () => lose(client))
    client.on('end', () => lose(client))
    client.on('notification', (message) => heard(message.payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${client.escapeIdentifier(channel)}`)
    } catch (error) {
      lose(client)
      throw error
    }
    pause_ms = firstPause_ms
    again()
  }

  const close = async (): Promise<void> => {
    closed = true
    clearTimeout(retry)
    const client = current
    current = undefined
    client?.removeAllListeners()
    client?.on('error', () => undefined)
    await client?.end().catch(() => undefined)
  }

  try {
    await connect()
  } catch (error) {
    await close()
    throw error
  }
  return close
}
