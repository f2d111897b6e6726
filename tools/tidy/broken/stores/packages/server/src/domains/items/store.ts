import { sql } from '../../platform/database/sql.ts'
export const findItem = sql
export const listDue = (now: Date) => now
export const renewLease = (lease_until: Date) => lease_until
