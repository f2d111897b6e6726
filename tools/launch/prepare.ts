import { cacheFolder } from '../../packages/server/src/platform/database/embedded/cache-folder.ts'
import { ensureTemplate } from '../../packages/server/src/platform/database/embedded/template.ts'

// The end of an installation: what every first start would have to make is made once.
await ensureTemplate(cacheFolder('.data'))
