import { createClient } from '@swath/client/client.ts'
export const client = createClient
