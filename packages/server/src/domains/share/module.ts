import type { Module } from '../../engine/task.ts'
import { downloadSharedAsset } from './operations/share.asset.download.ts'
import { listSharedItems } from './operations/share.items.list.ts'
import { createShareLink } from './operations/share.link.create.ts'
import { getSharedLink } from './operations/share.link.get.ts'
import { listSharedLinks } from './operations/share.link.list.ts'
import { revokeSharedLink } from './operations/share.link.revoke.ts'
import { updateSharedLink } from './operations/share.link.update.ts'
import { validateLink } from './operations/share.link.validate.ts'
import { createShareSession } from './operations/share.session.create.ts'
import { renderSharedTile } from './operations/share.tile.render.ts'
import { describeSharedTiles } from './operations/share.tilejson.ts'

export const share: Module = {
  name: 'share',
  handlers: [
    createShareLink,
    revokeSharedLink,
    updateSharedLink,
    getSharedLink,
    listSharedLinks,
    validateLink,
    createShareSession,
    listSharedItems,
    downloadSharedAsset,
    renderSharedTile,
    describeSharedTiles,
  ],
  tasks: [],
}
