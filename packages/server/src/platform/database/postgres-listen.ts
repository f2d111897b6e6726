import { Client } from 'pg'
import type { ClientConfig } from 'pg'

const min_retry_delay_ms = 500
const max_retry_delay_ms = 30_000

/**
 * Listens to a channel on its own connection, which is reopened whenever it breaks. `onConnect` is called after every
 * connection, since notifications in between are lost. Throws if the first connection fails.
 */
export async function openNotificationListener(
  connection: ClientConfig,
  channel: string,
  onNotification: (payload: string) => void,
  onConnect: () => void,
): Promise<() => Promise<void>> {
  let closed = false
  let currentClient: Client | undefined
  let retryTimer: NodeJS.Timeout | undefined
  let retryDelay_ms = min_retry_delay_ms

  const handleLostConnection = (client: Client): void => {
    client.removeAllListeners()
    client.on('error', () => undefined)
    void client.end().catch(() => undefined)
    if (closed || currentClient !== client) return
    currentClient = undefined
    retryTimer = setTimeout(() => void connect().catch(() => undefined), retryDelay_ms)
    retryDelay_ms = Math.min(2 * retryDelay_ms, max_retry_delay_ms)
  }

  const connect = async (): Promise<void> => {
    if (closed) return
    const client = new Client(connection)
    currentClient = client
    client.on('error', () => handleLostConnection(client))
    client.on('end', () => handleLostConnection(client))
    client.on('notification', (message) => onNotification(message.payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${client.escapeIdentifier(channel)}`)
    } catch (error) {
      handleLostConnection(client)
      throw error
    }
    retryDelay_ms = min_retry_delay_ms
    onConnect()
  }

  const close = async (): Promise<void> => {
    closed = true
    clearTimeout(retryTimer)
    const client = currentClient
    currentClient = undefined
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
