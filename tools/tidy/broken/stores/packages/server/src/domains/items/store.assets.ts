import { sql } from '../../platform/database/sql.ts'
import { findItem } from './store.ts'
export const findAsset = [sql, findItem]
