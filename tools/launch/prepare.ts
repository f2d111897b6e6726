import { initialDatabaseContent } from '../../packages/server/src/initial-content.ts'
import { findCacheFolder } from '../../packages/server/src/platform/database/embedded/cache-folder.ts'
import { ensureDatabaseTemplate } from '../../packages/server/src/platform/database/embedded/template.ts'

// Last step of an installation: creates the database template that every first start copies.
await ensureDatabaseTemplate(findCacheFolder('.data'), initialDatabaseContent)
