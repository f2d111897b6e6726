import type { Room } from '../../engine/task.ts'
import { createApiKey } from './api_keys.create.ts'
import { listApiKeys } from './api_keys.list.ts'
import { revokeApiKey } from './api_keys.revoke.ts'

export const apiKeys: Room = { name: 'api_keys', handlers: [createApiKey, listApiKeys, revokeApiKey], tasks: [] }
