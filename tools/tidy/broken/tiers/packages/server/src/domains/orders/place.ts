// Importing from an earlier tier is allowed.
import { hold } from '../ledger/holds.ts'
export const place = hold
