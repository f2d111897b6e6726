import type { Module } from '../../engine/task.ts'
import { createApiKey } from './api_keys.create.ts'
import { listApiKeys } from './api_keys.list.ts'
import { revokeApiKey } from './api_keys.revoke.ts'

export const apiKeys: Module = { name: 'api_keys', handlers: [createApiKey, listApiKeys, revokeApiKey], tasks: [] }
