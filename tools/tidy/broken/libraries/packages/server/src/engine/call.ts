import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
export const call = [AsyncLocalStorage, pg]
