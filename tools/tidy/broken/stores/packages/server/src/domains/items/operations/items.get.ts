import { sql } from '../../../platform/database/sql.ts'
export const getItem = sql
