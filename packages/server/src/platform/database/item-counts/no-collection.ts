import { sql } from '../sql.ts'

/** The collection id under which items without a collection are counted. */
export const noCollectionId = sql`'00000000-0000-0000-0000-000000000000'::uuid`
