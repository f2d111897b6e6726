// Down the streets: allowed.
import { hold } from '../ledger/holds.ts'
export const place = hold
