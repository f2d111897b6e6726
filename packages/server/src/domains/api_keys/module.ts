import type { Module } from '../../engine/task.ts'
import { createApiKey } from './operations/api_keys.create.ts'
import { listApiKeys } from './operations/api_keys.list.ts'
import { revokeApiKey } from './operations/api_keys.revoke.ts'

export const apiKeys: Module = { name: 'api_keys', handlers: [createApiKey, listApiKeys, revokeApiKey], tasks: [] }
