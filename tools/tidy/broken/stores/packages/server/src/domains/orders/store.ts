import { sql } from '../../platform/database/sql.ts'
import { findItem } from '../items/store.ts'
export const findOrder = [sql, findItem]
