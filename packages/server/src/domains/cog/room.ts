import type { Room } from '../../engine/task.ts'
import { listColormaps } from './cog.colormaps.ts'
import { listCogFormulas } from './cog.formulas.ts'
import { measureCog } from './cog.statistics.ts'
import { drawCogThumbnail } from './cog.thumbnail.ts'
import { renderCogTile } from './cog.tile.render.ts'
import { renderCogTerrain } from './cog.tile.terrain.ts'

export const cog: Room = {
  name: 'cog',
  handlers: [renderCogTile, renderCogTerrain, measureCog, drawCogThumbnail, listColormaps, listCogFormulas],
  tasks: [],
}
