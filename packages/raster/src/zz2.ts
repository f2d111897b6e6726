import { fileSource } from './source/file.ts'
import { openRaster } from './tiff/open.ts'
import { drawTile } from './draw/zztile.ts'
import { mapRatio, chooseLevel } from './plan/overview.ts'
import { lonLatExtent } from './crs/extent.ts'
import { metresPerPixel, tileAt } from '@swath/geo/tile-grid.ts'
import { globSync, writeFileSync, mkdirSync } from 'node:fs'
mkdirSync('/tmp/tiles', { recursive: true })
const pat = process.argv[2] ?? '**'
let n = 0; const list: string[] = []
for (const f of globSync('/work/shared/data/rasters/'+pat+'/*.tif')) {
  if (/nyc|_B[2-7].tif|L8-B[1-79]/.test(f)) continue
  const s = await fileSource(f)
  try {
    const r = await openRaster(s)
    const e = lonLatExtent(r)
    let z = 0; while (z < 22 && mapRatio(r, metresPerPixel(z)) > 1) z++
    const cx = (e.west+e.east)/2, cy=(e.south+e.north)/2
    const set = new Set<string>()
    for (const dz of [-3,-2,-1,0,1]) for (const [lon,lat] of [[cx,cy],[e.west+(e.east-e.west)*.03,e.north-(e.north-e.south)*.03]] as const) {
      if (z+dz<0) continue
      const t = tileAt(((lon+540)%360)-180, Math.max(-85,Math.min(85,lat)), z+dz)
      set.add(`${t.z}/${t.x}/${t.y}/${dz}`)
    }
    for (const k of set) for (const resampling of ['nearest','bilinear','cubic','average'] as const) {
      const [tz,x,y,dz] = k.split('/').map(Number) as [number,number,number,number]
      const t0 = performance.now()
      const b = await drawTile(r, {z:tz,x,y,size:256,resampling})
      const ms = performance.now()-t0
      const lvl = chooseLevel(r, mapRatio(r, metresPerPixel(tz)))
      writeFileSync(`/tmp/tiles/${n}.bin`, new Uint8Array(b.data.buffer,b.data.byteOffset,b.data.byteLength)); writeFileSync(`/tmp/tiles/${n}.mask`, b.mask)
      list.push(JSON.stringify({n,f,z:tz,x,y,dz,resampling,bands:r.bands.length,type:r.sampleType,lvl,ms:+ms.toFixed(1),scale:(globalThis as any).__scale,nodata:r.nodata===null?null:String(r.nodata),alpha:r.alphaBand,mask:!!r.levels[0]!.mask}))
      n++
    }
  } catch (err) { console.log(f.slice(26), (err as any).kind ?? (err as Error).stack, (err as Error).message) }
  await s.close()
}
writeFileSync('/tmp/tiles/list.jsonl', list.join('\n'))
