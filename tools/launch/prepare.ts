import { initialDatabaseContent } from '../../packages/server/src/initial-content.ts'
import { findTemplateCacheFolder } from '../../packages/server/src/platform/database/embedded/cache-folder.ts'
import { ensureFilledTemplate } from '../../packages/server/src/platform/database/embedded/filled-template.ts'

// Last step of an installation: creates the database template that every first start copies.
await ensureFilledTemplate(findTemplateCacheFolder('.data'), initialDatabaseContent)
