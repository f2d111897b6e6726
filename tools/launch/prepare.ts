import { initialContent } from '../../packages/server/src/initial-content.ts'
import { cacheFolder } from '../../packages/server/src/platform/database/embedded/cache-folder.ts'
import { ensureFilledTemplate } from '../../packages/server/src/platform/database/embedded/filled-template.ts'

// The end of an installation: what every first start would have to make is made once.
await ensureFilledTemplate(cacheFolder('.data'), initialContent)
