import { isApiKeyActive, renewTerminalApiKey } from './domains/api_keys/terminal-key.ts'
import { isSharedServer } from './platform/config.ts'
import type { TaskQueue } from './platform/queue/queue.ts'
import {
  readTerminalApiKey,
  saveTerminalApiKey,
  getTerminalApiKeyFilePath,
} from './platform/local-files/terminal-key-file.ts'
import { getPublicUrl, type Services } from './services.ts'

/** The state of the key in its file; a revoked one stays there until it is replaced. */
export type TerminalApiKeyState = 'active' | 'revoked'

/** The API key of tools on the machine of the server. */
export interface TerminalApiKeyService {
  /** Creates the key if there is no file of it; null for a server that has none. */
  ensure(): Promise<TerminalApiKeyState | null>
  /** Replaces the key; returns the path of its file, null for a server that has none. */
  renew(): Promise<string | null>
}

/** Only a local trial of one user has the key: where others reach the server, a file is no place for what acts for an administrator. */
export function createTerminalApiKeys(
  { config, database, clock }: Services,
  queue: () => TaskQueue,
): TerminalApiKeyService {
  const { data_dir } = config
  const { unscoped } = database
  const renew = async (): Promise<string | null> => {
    if (isSharedServer(config)) return null
    const former = await readTerminalApiKey(data_dir)
    const key = await renewTerminalApiKey({ unscoped, clock, queue: queue() })
    if (key === null) return null
    await saveTerminalApiKey(data_dir, { key, address: former?.address ?? getPublicUrl(config) })
    return getTerminalApiKeyFilePath(data_dir)
  }
  return {
    renew,
    ensure: async () => {
      if (isSharedServer(config)) return null
      const stored = await readTerminalApiKey(data_dir)
      if (stored === null) return (await renew()) === null ? null : 'active'
      return (await isApiKeyActive({ unscoped, clock }, stored.key)) ? 'active' : 'revoked'
    },
  }
}
