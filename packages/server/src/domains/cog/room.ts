import type { Room } from '../../engine/task.ts'
import { drawCogThumbnail } from './cog.thumbnail.ts'
import { renderCogTile } from './cog.tile.render.ts'

export const cog: Room = { name: 'cog', handlers: [renderCogTile, drawCogThumbnail], tasks: [] }
