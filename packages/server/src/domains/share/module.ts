import type { Module } from '../../engine/task.ts'
import { downloadSharedAsset } from './share.asset.download.ts'
import { listSharedItems } from './share.items.list.ts'
import { createShareLink } from './share.link.create.ts'
import { getSharedLink } from './share.link.get.ts'
import { listSharedLinks } from './share.link.list.ts'
import { revokeSharedLink } from './share.link.revoke.ts'
import { updateSharedLink } from './share.link.update.ts'
import { validateLink } from './share.link.validate.ts'
import { createShareSession } from './share.session.create.ts'
import { renderSharedTile } from './share.tile.render.ts'
import { describeSharedTiles } from './share.tilejson.ts'

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
