import { fileSource } from './source/file.ts'
import { openRaster } from './tiff/open.ts'
import { mapToPixels, touchedPart } from './plan/mapping.ts'
import { locateNodes } from './plan/positions.ts'
import { metresPerPixel, tileBoundsMetres,tileAt } from '@swath/geo/tile-grid.ts'
const r = await openRaster(await fileSource('/work/shared/data/rasters/formats/red.tif'))
for (const z of [6,7,8,9]) {
const t = tileAt(-80.06,33.17,z); const b=tileBoundsMetres(t); const step=metresPerPixel(z)
const part = touchedPart(r,{west:b[0],north:b[3],step},256,256)!
const m = mapToPixels(r)
const g={west:b[0]+(part.left+.5)*step,north:b[3]-(part.top+.5)*step,step,columns:part.right-part.left,rows:part.bottom-part.top}
const p=locateNodes(m,g,1); let w=0
for(let j=0;j<p.rows;j++)for(let i=0;i<p.columns;i++){const e=m.toPixel(g.west+i*step,g.north-j*step); w=Math.max(w,Math.abs(e[0]-p.x[j*p.columns+i]!),Math.abs(e[1]-p.y[j*p.columns+i]!))}
console.log(z,t,part,w)
const e=m.toPixel(g.west+10*step,g.north-10*step); console.log(e, g.west+10*step,g.north-10*step)
}
