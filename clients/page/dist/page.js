var e=ArrayBuffer,t=Uint8Array,n=Uint16Array,r=Int16Array,i=Int32Array,a=function(e,n,r){if(t.prototype.slice)return t.prototype.slice.call(e,n,r);(n==null||n<0)&&(n=0),(r==null||r>e.length)&&(r=e.length);var i=new t(r-n);return i.set(e.subarray(n,r)),i},o=function(e,n,r,i){if(t.prototype.fill)return t.prototype.fill.call(e,n,r,i);for((r==null||r<0)&&(r=0),(i==null||i>e.length)&&(i=e.length);r<i;++r)e[r]=n;return e},s=function(e,n,r,i){if(t.prototype.copyWithin)return t.prototype.copyWithin.call(e,n,r,i);for((r==null||r<0)&&(r=0),(i==null||i>e.length)&&(i=e.length);r<i;)e[n++]=e[r++]},c=[`invalid zstd data`,`window size too large (>2046MB)`,`invalid block type`,`FSE accuracy too high`,`match distance too far back`,`unexpected EOF`],l=function(e,t,n){var r=Error(t||c[e]);if(r.code=e,Error.captureStackTrace&&Error.captureStackTrace(r,l),!n)throw r;return r},u=function(e,t,n){for(var r=0,i=0;r<n;++r)i|=e[t++]<<(r<<3);return i},d=function(e,t){return(e[t]|e[t+1]<<8|e[t+2]<<16|e[t+3]<<24)>>>0},f=function(e,n){var r=e[0]|e[1]<<8|e[2]<<16;if(r==3126568&&e[3]==253){var a=e[4],o=a>>5&1,s=a>>2&1,c=a&3,f=a>>6;a&8&&l(0);var p=6-o,m=c==3?4:c,h=u(e,p,m);p+=m;var g=f?1<<f:o,_=u(e,p,g)+(f==1&&256),v=_;if(!o){var y=1<<10+(e[5]>>3);v=y+(y>>3)*(e[5]&7)}v>2145386496&&l(1);var b=new t((n==1?_||v:n?0:v)+12);return b[0]=1,b[4]=4,b[8]=8,{b:p+g,y:0,l:0,d:h,w:n&&n!=1?n:b.subarray(12),e:v,o:new i(b.buffer,0,3),u:_,c:s,m:Math.min(131072,v)}}if((r>>4|e[3]<<20)==25481893)return d(e,4)+8;l(0)},p=function(e){for(var t=0;1<<t<=e;++t);return t-1},m=function(i,a,o){var s=(a<<3)+4,c=(i[a]&15)+5;c>o&&l(3);for(var u=1<<c,d=u,f=-1,m=-1,h=-1,g=u,_=new e(512+(u<<2)),v=new r(_,0,256),y=new n(_,0,256),b=new n(_,512,u),x=512+(u<<1),S=new t(_,x,u),C=new t(_,x+u);f<255&&d>0;){var w=p(d+1),T=s>>3,E=(1<<w+1)-1,D=(i[T]|i[T+1]<<8|i[T+2]<<16)>>(s&7)&E,O=(1<<w)-1,k=E-d-1,A=D&O;if(A<k?(s+=w,D=A):(s+=w+1,D>O&&(D-=k)),v[++f]=--D,D==-1?(d+=D,S[--g]=f):d-=D,!D)do{var j=s>>3;m=(i[j]|i[j+1]<<8)>>(s&7)&3,s+=2,f+=m}while(m==3)}(f>255||d)&&l(0);for(var M=0,N=(u>>1)+(u>>3)+3,ee=u-1,te=0;te<=f;++te){var P=v[te];if(P<1)y[te]=-P;else for(h=0;h<P;++h){S[M]=te;do M=M+N&ee;while(M>=g)}}for(M&&l(0),h=0;h<u;++h){var ne=y[S[h]]++,re=C[h]=c-p(ne);b[h]=(ne<<re)-u}return[s+7>>3,{b:c,s:S,n:C,t:b}]},h=function(e,r){var i=0,a=-1,s=new t(292),c=e[r],u=s.subarray(0,256),d=s.subarray(256,268),f=new n(s.buffer,268);if(c<128){var h=m(e,r+1,6),g=h[0],_=h[1];r+=c;var v=g<<3,y=e[r];y||l(0);for(var b=0,x=0,S=_.b,C=S,w=(++r<<3)-8+p(y);w-=S,!(w<v);){var T=w>>3;if(b+=(e[T]|e[T+1]<<8)>>(w&7)&(1<<S)-1,u[++a]=_.s[b],w-=C,w<v)break;T=w>>3,x+=(e[T]|e[T+1]<<8)>>(w&7)&(1<<C)-1,u[++a]=_.s[x],S=_.n[b],b=_.t[b],C=_.n[x],x=_.t[x]}++a>255&&l(0)}else{for(a=c-127;i<a;i+=2){var E=e[++r];u[i]=E>>4,u[i+1]=E&15}++r}var D=0;for(i=0;i<a;++i){var O=u[i];O>11&&l(0),D+=O&&1<<O-1}var k=p(D)+1,A=1<<k,j=A-D;for(j&j-1&&l(0),u[a++]=p(j)+1,i=0;i<a;++i){var O=u[i];++d[u[i]=O&&k+1-O]}var M=new t(A<<1),N=M.subarray(0,A),ee=M.subarray(A);for(f[k]=0,i=k;i>0;--i){var te=f[i];o(ee,i,te,f[i-1]=te+d[i]*(1<<k-i))}for(f[0]!=A&&l(0),i=0;i<a;++i){var P=u[i];if(P){var ne=f[P];o(N,i,ne,f[P]=ne+(1<<k-P))}}return[r,{n:ee,b:k,s:N}]},g=m(new t([81,16,99,140,49,198,24,99,12,33,196,24,99,102,102,134,70,146,4]),0,6)[1],_=m(new t([33,20,196,24,99,140,33,132,16,66,8,33,132,16,66,8,33,68,68,68,68,68,68,68,68,36,9]),0,6)[1],v=m(new t([32,132,16,66,102,70,68,68,68,68,36,73,2]),0,5)[1],y=function(e,t){for(var n=e.length,r=new i(n),a=0;a<n;++a)r[a]=t,t+=1<<e[a];return r},b=new t(new i([0,0,0,0,16843009,50528770,134678020,202050057,269422093]).buffer,0,36),x=y(b,0),S=new t(new i([0,0,0,0,0,0,0,0,16843009,50528770,117769220,185207048,252579084,16]).buffer,0,53),C=y(S,3),w=function(e,t,n){var r=e.length,i=t.length,a=e[r-1],o=(1<<n.b)-1,s=-n.b;a||l(0);for(var c=0,u=n.b,d=(r<<3)-8+p(a)-u,f=-1;d>s&&f<i;){var m=d>>3,h=(e[m]|e[m+1]<<8|e[m+2]<<16)>>(d&7);c=(c<<u|h)&o,t[++f]=n.s[c],d-=u=n.n[c]}(d!=s||f+1!=i)&&l(0)},T=function(e,t,n){var r=6,i=t.length+3>>2,a=i<<1,o=i+a;w(e.subarray(r,r+=e[0]|e[1]<<8),t.subarray(0,i),n),w(e.subarray(r,r+=e[2]|e[3]<<8),t.subarray(i,a),n),w(e.subarray(r,r+=e[4]|e[5]<<8),t.subarray(a,o),n),w(e.subarray(r),t.subarray(o),n)},E=function(e,r,i){var s,c=r.b,u=e[c],d=u>>1&3;r.l=u&1;var f=u>>3|e[c+1]<<5|e[c+2]<<13,y=(c+=3)+f;if(d==1)return c>=e.length?void 0:(r.b=c+1,i?(o(i,e[c],r.y,r.y+=f),i):o(new t(f),e[c]));if(!(y>e.length)){if(d==0)return r.b=y,i?(i.set(e.subarray(c,y),r.y),r.y+=f,i):a(e,c,y);if(d==2){var E=e[c],D=E&3,O=E>>2&3,k=E>>4,A=0,j=0;D<2?O&1?k|=e[++c]<<4|(O&2&&e[++c]<<12):k=E>>3:(j=O,O<2?(k|=(e[++c]&63)<<4,A=e[c]>>6|e[++c]<<2):O==2?(k|=e[++c]<<4|(e[++c]&3)<<12,A=e[c]>>2|e[++c]<<6):(k|=e[++c]<<4|(e[++c]&63)<<12,A=e[c]>>6|e[++c]<<2|e[++c]<<10)),++c;var M=i?i.subarray(r.y,r.y+r.m):new t(r.m),N=M.length-k;if(D==0)M.set(e.subarray(c,c+=k),N);else if(D==1)o(M,e[c++],N);else{var ee=r.h;if(D==2){var te=h(e,c);A+=c-(c=te[0]),r.h=ee=te[1]}else ee||l(0);(j?T:w)(e.subarray(c,c+=A),M.subarray(N),ee)}var P=e[c++];if(P){P==255?P=(e[c++]|e[c++]<<8)+32512:P>127&&(P=P-128<<8|e[c++]);var ne=e[c++];ne&3&&l(0);for(var re=[_,v,g],F=2;F>-1;--F){var ie=ne>>(F<<1)+2&3;if(ie==1){var ae=new t([0,0,e[c++]]);re[F]={s:ae.subarray(2,3),n:ae.subarray(0,1),t:new n(ae.buffer,0,1),b:0}}else ie==2?(s=m(e,c,9-(F&1)),c=s[0],re[F]=s[1]):ie==3&&(r.t||l(0),re[F]=r.t[F])}var oe=r.t=re,I=oe[0],se=oe[1],ce=oe[2],le=e[y-1];le||l(0);var L=(y<<3)-8+p(le)-ce.b,R=L>>3,z=0,ue=(e[R]|e[R+1]<<8)>>(L&7)&(1<<ce.b)-1;R=(L-=se.b)>>3;var de=(e[R]|e[R+1]<<8)>>(L&7)&(1<<se.b)-1;R=(L-=I.b)>>3;var fe=(e[R]|e[R+1]<<8)>>(L&7)&(1<<I.b)-1;for(++P;--P;){var pe=ce.s[ue],me=ce.n[ue],he=I.s[fe],ge=I.n[fe],_e=se.s[de],ve=se.n[de];R=(L-=_e)>>3;var B=1<<_e,V=B+((e[R]|e[R+1]<<8|e[R+2]<<16|e[R+3]<<24)>>>(L&7)&B-1);R=(L-=S[he])>>3;var H=C[he]+((e[R]|e[R+1]<<8|e[R+2]<<16)>>(L&7)&(1<<S[he])-1);R=(L-=b[pe])>>3;var U=x[pe]+((e[R]|e[R+1]<<8|e[R+2]<<16)>>(L&7)&(1<<b[pe])-1);if(R=(L-=me)>>3,ue=ce.t[ue]+((e[R]|e[R+1]<<8)>>(L&7)&(1<<me)-1),R=(L-=ge)>>3,fe=I.t[fe]+((e[R]|e[R+1]<<8)>>(L&7)&(1<<ge)-1),R=(L-=ve)>>3,de=se.t[de]+((e[R]|e[R+1]<<8)>>(L&7)&(1<<ve)-1),V>3)r.o[2]=r.o[1],r.o[1]=r.o[0],r.o[0]=V-=3;else{var W=V-(U!=0);W?(V=W==3?r.o[0]-1:r.o[W],W>1&&(r.o[2]=r.o[1]),r.o[1]=r.o[0],r.o[0]=V):V=r.o[0]}for(var F=0;F<U;++F)M[z+F]=M[N+F];z+=U,N+=U;var ye=z-V;if(ye<0){var G=-ye,K=r.e+ye;G>H&&(G=H);for(var F=0;F<G;++F)M[z+F]=r.w[K+F];z+=G,H-=G,ye=0}for(var F=0;F<H;++F)M[z+F]=M[ye+F];z+=H}if(z!=N)for(;N<M.length;)M[z++]=M[N++];else z=M.length;i?r.y+=z:M=a(M,0,z)}else if(i){if(r.y+=k,N)for(var F=0;F<k;++F)M[F]=M[N+F]}else N&&(M=a(M,N));return r.b=y,M}l(2)}},D=function(e,n){if(e.length==1)return e[0];for(var r=new t(n),i=0,a=0;i<e.length;++i){var o=e[i];r.set(o,a),a+=o.length}return r};function O(e,t){for(var n=[],r=+!t,i=0,a=0;e.length;){var o=f(e,r||t);if(typeof o==`object`){for(r?(t=null,o.w.length==o.u&&(n.push(t=o.w),a+=o.u)):(n.push(t),o.e=0);!o.l;){var c=E(e,o,t);c||l(5),t?o.e=o.y:(n.push(c),a+=c.length,s(o.w,0,c.length),o.w.set(c,o.w.length-c.length))}i=o.b+o.c*4}else i=o;e=e.subarray(i)}return D(n,a)}var k={schema:3,channel:4,message:5,chunk:6,attachment:9,dataEnd:15},A=`MCAP0\r
`,j=new TextDecoder,M=Uint32Array.from({length:256},(e,t)=>{for(let e=0;e<8;e++)t=t&1?3988292384^t>>>1:t>>>1;return t});function N(e){let t=-1;for(let n=0;n<e.length;n++)t=M[(t^e[n])&255]^t>>>8;return(t^-1)>>>0}var ee=class{bytes;at=0;view;constructor(e){this.bytes=e,this.view=new DataView(e.buffer,e.byteOffset,e.byteLength)}u16(){return this.view.getUint16((this.at+=2)-2,!0)}u32(){return this.view.getUint32((this.at+=4)-4,!0)}u64(){return this.u32()+this.u32()*2**32}piece(e){if(e>this.bytes.length-this.at)throw RangeError(`a record is longer than the file`);return this.bytes.subarray(this.at,this.at+=e)}string(){return j.decode(this.piece(this.u32()))}};function*te(e,t){let n=new DataView(e.buffer,e.byteOffset,e.byteLength);for(;t+9<=e.length;){let r=n.getUint32(t+1,!0)+n.getUint32(t+5,!0)*2**32,i=t+9+r;if(i>e.length)return;yield{op:e[t],body:e.subarray(t+9,i),end:i},t=i}}function P(e){let t=new ee(e);t.at=16;let n=t.u64(),r=t.u32(),i=t.string(),a=t.piece(t.u64());if(i!==``&&i!==`zstd`)throw Error(`its chunks are compressed by ${i}; zstd is read`);let o=i?O(a,new Uint8Array(n)):a;if(r!==0&&N(o)!==r)throw Error(`a chunk is damaged`);return o}function*ne(e,t){if(j.decode(e.subarray(1,8))!==A.slice(1)||e[0]!==137)throw Error(`it does not begin as an MCAP file does`);let n=new Map,r=new Map,i=(e,t)=>{if(e===k.schema)n.set(t.u16(),{name:t.string(),encoding:t.string(),data:t.piece(t.u32())});else if(e===k.channel){let e=t.u16(),i=n.get(t.u16());r.has(e)||r.set(e,{topic:t.string(),encoding:t.string(),schemaName:i?.name??``,schemaEncoding:i?.encoding??``,schema:i?.data??new Uint8Array})}},a=(e,t,n)=>{let i=r.get(t.u16());t.at=6,i&&n.push({topic:i,time:t.u64()/1e9,bytes:e.subarray(22)})};for(let{op:n,body:r,end:o}of te(e,8)){let s=[],c=new ee(r);if(n===k.chunk){for(let e of te(P(r),0)){let t=new ee(e.body);e.op===k.message?a(e.body,t,s):i(e.op,t)}s.some((e,t)=>t>0&&e.time<s[t-1].time)&&s.sort((e,t)=>e.time-t.time),yield{messages:s,part:o/e.length}}else if(n===k.message)a(r,c,s),yield{messages:s,part:o/e.length};else if(n===k.attachment){c.at=16;let e=c.string();c.string(),t(e,j.decode(c.piece(c.u64())))}else if(n===k.dataEnd)return;else i(n,c)}}function re(e,t=``){return e?[...Object.entries(e.properties??{}).map(([e,n])=>[t+e,n]),...(e.sides??[]).flatMap(e=>re(e,`${t}${e.side}.`))]:[]}var F=e=>e.replace(/^.*\//,``).replace(/\.xml$/,``);function ie(e){let{min:t,max:n}=e;return e.choices===void 0?t!==void 0&&n!==void 0?`${t} … ${n}`:t===void 0?n===void 0?``:`≤ ${n}`:`≥ ${t}`:e.choices.split(`|`).join(` or `)}function ae(e,t){let n=e.findIndex(e=>t.includes(e));return n<0?``:F(e[n+1]??``)}function oe(e,t){let n=JSON.parse(e),r={...t.run};r.application=n.application??r.application,r.clock=n.clock??``,r.seed=n.seed===void 0?``:`seed ${n.seed}`,r.world=n.world?F(n.world):``,r.binding=ae(n.command??[],[`--bind`,`-b`,`--binding`]),r.components=(n.components??[]).map(e=>({name:e.name,class:e.class,group:``})),r.connections=(n.connections??[]).map(({source:e,target:t})=>({from:e.component,port:e.port,to:t.component,toPort:t.port})),r.units=new Map((n.values??[]).map(e=>[e.name,e.unit??``]));for(let e of n.components??[])for(let[n,r]of[...Object.entries(e.properties??{}),...re(e.device)]){let i=`${e.name}.${n}`,a=t.properties.get(i);t.properties.set(i,{component:e.name,name:n,value:a?.value??r.value,unit:r.unit??``,range:ie(r),choices:r.choices?.split(`|`),summary:r.summary??``,live:r.live??!1})}return r}async function I(e,t,n,r){let i=new Map,a=performance.now(),o;e.isReading=!0,e.link=`recording`;let s=(t,n)=>{t.endsWith(`run.json`)&&(e.run=oe(n,e)),t.endsWith(`summary.json`)&&(o=n)};for(let{messages:n,part:o}of ne(t,s)){for(let t of n){let n=i.get(t.topic);n||i.set(t.topic,n=e.describe(t.topic)),e.add(n,t.time,t.bytes)}performance.now()-a>60&&(r(o),await new Promise(e=>setTimeout(e)),a=performance.now())}e.run.file=n,e.summary=o?JSON.parse(o):{},e.isReading=!1,e.cursor=e.end}function se(e){let t=/\b([A-Z][A-Z_]{3,})\b/.exec(e.text.replace(/.*->\s*/,``));if(t)return t[1].toLowerCase().replace(/_/g,` `);let n=e.text.split(/[:,;]/)[0];return n.length>28?`${n.slice(0,26)}…`:n}function ce(e){let t=[];for(let n of e.lines){if(n.from===`note`){t.push({time:n.time,text:n.text,isFault:!1,isChange:!1});continue}if(n.level!==`warn`&&n.level!==`error`)continue;let e=t[t.length-1];e&&n.time-e.time<1||t.push({time:n.time,text:se(n),isFault:n.level===`error`,isChange:n.text.includes(`->`)})}return t}var le=/^\/(.+?)\/(?:device\/)?values$/;function L(e){return le.exec(e)?.[1]}function R(e,...t){for(let n of t)for(let t of e.topics.values()){let e=L(t.name)!==void 0&&t.facts.get(n);if(e)return{topic:t.name,path:n,unit:e.unit}}}function z(e){let t=R(e,`position_error`),n=R(e,`distance_mm`,`distance_um`)??(t&&{...t,unit:`µm`,factor:1e6});if(!n)return;let r=e.topics.get(n.topic).facts,i=e=>r.has(e)?{topic:n.topic,path:e,unit:r.get(e).unit}:void 0;return{distance:n,rms:i(`rms_5s_mm`),limit:i(`error_limit_mm`),state:i(`state`),fidelity:i(`fidelity`),ex:i(`ex`),ey:i(`ey`),heading:i(`et_deg`)}}function ue(e){let t=z(e);return t!==void 0&&t.distance.factor===void 0}var de=[`distance_mm`,`sigma_mm`,`command_v`,`state`,`stage`,`verdict`,`nearest_m`,`position_m`,`force_n`,`level`,`level_hard`,`position_error`,`velocity`,`speed`,`mode`,`scans`,`losses`];function fe(e){let t=de.find(t=>e.facts.has(t))??[...e.facts.keys()].find(e=>!/^(x|y|theta|roll|pitch|yaw)$|_(theta|roll|pitch|yaw)$|stamp|age|^applied/.test(e));return t===void 0?void 0:{topic:e.name,path:t,unit:e.facts.get(t).unit}}function pe(e){let{tracks:t}=e.frames,n=e=>t.has(e)?e:void 0,r=[...t.keys()].find(e=>e.startsWith(`avatar/`)),i=[...t].filter(([e,t])=>!e.startsWith(`avatar/`)&&t.parent===`map`&&e!==`odom`).map(([e])=>e);return{robot:n(`base_link`)??(r&&n(r.slice(7)))??(i.length===1?i[0]:void 0),avatar:n(`avatar/base_link`)??r}}var me=new WeakMap;function he(e){let t=new Set;for(let n of e.topics.values()){if(n.schema!==`foxglove.SceneUpdate`||n.length===0)continue;let e=me.get(n)??{n:0,layers:new Set};if(e.n!==n.count){me.set(n,{n:n.count,layers:e.layers});for(let t of n.message(n.length-1).entities??[])for(let n of t.metadata??[])n.key===`layer`&&e.layers.add(n.value)}e.layers.forEach(e=>t.add(e))}return t}function ge(e,t){let n=ve(e,`doppel.MeasuredPose`),r=n.find(e=>/avatar/i.test(e.name)),i=n.find(e=>e!==r),a=r?.at(t)?.pose,o=i?.at(t)?.pose;return a&&o?{x:((a.x??0)-(o.x??0))*1e3,y:((a.y??0)-(o.y??0))*1e3,yaw:((a.yaw??0)-(o.yaw??0))*180/Math.PI}:void 0}function _e(e){for(let t of e.frames.tracks.keys())if(t.startsWith(`avatar/`))return!0;return!1}function ve(e,t){return[...e.topics.values()].filter(e=>e.schema===t&&e.length>0)}function B(e,t){let n=t&&e.value(t.topic,t.path);return typeof n==`number`?n*(t.factor??1):void 0}function V(e,t){for(let n of e.topics.values())if(n.schema===t&&n.length>0)return n}function H(e){let t=z(e);for(let n of e.topics.values())if(L(n.name)!==void 0&&n.name!==t?.distance.topic){for(let t of[`task`,`state`,`stage`])if(n.facts.has(t)&&typeof n.at(e.end)?.[t]==`string`&&!n.facts.has(`sigma_mm`))return{topic:n.name,path:t,unit:``}}}function U(e,t={},...n){let r=document.createElement(e);for(let[e,n]of Object.entries(t))typeof n==`function`?r.addEventListener(e,n):typeof n==`string`?r.setAttribute(e,n):n&&r.setAttribute(e,``);return r.append(...n.filter(e=>e!==void 0&&e!==!1)),r}function W(e,t){e.textContent!==t&&(e.textContent=t)}function ye(e,t,n){e.classList.contains(t)!==n&&e.classList.toggle(t,n)}function G(e,t,n){let r=`${t}\u00a0${n}`;e.dataset.shown!==r&&(e.dataset.shown=r,e.replaceChildren(t,...n?[U(`span`,{class:`unit`},` ${n}`)]:[]))}function K(e,t=``,...n){return U(`section`,{class:`panel`,"aria-label":e},U(`header`,{class:`head`},U(`h2`,{},e),U(`div`,{class:`right`},t)),...n)}function be(e){let t=Math.min(2,devicePixelRatio||1),n=e.clientWidth,r=e.clientHeight;if(n===0||r===0)return;(e.width!==Math.round(n*t)||e.height!==Math.round(r*t))&&(e.width=Math.round(n*t),e.height=Math.round(r*t));let i=e.getContext(`2d`);return i.setTransform(t,0,0,t,0,0),i.clearRect(0,0,n,r),i}var xe={mm:1,um:1,µm:1,m:2,"m/s":2,deg:2,"°":2,rad:3,"rad/s":2,N:0,"N m":2,s:2,ms:1,"%":1,V:1,A:1};function Se(e,t){return xe[e]??(Number.isInteger(t)?0:Math.abs(t)>=100?1:Math.abs(t)>=10?2:3)}function q(e,t){if(e==null||!Number.isFinite(e))return`–`;let n=Math.abs(e).toFixed(t),[r,i]=n.split(`.`),a=r.length>4?r.replace(/\B(?=(\d{3})+$)/g,` `):r;return(e<0&&Number(n)!==0?`−`:``)+a+(i?`.${i}`:``)}function Ce(e,t=``){return typeof e==`number`?q(e,Se(t,e)):typeof e==`boolean`?e?`yes`:`no`:e==null||e===``?`–`:typeof e==`object`?JSON.stringify(e):String(e)}function we(e,t=3){let n=Math.max(0,e),r=Math.floor(n/60),i=(n-r*60).toFixed(t);return`${String(r).padStart(2,`0`)}:${i.padStart(t>0?t+3:2,`0`)}`}function Te(e){return e<1?`${(e*1e3).toFixed(0)} µs`:e<1e3?`${e.toFixed(+(e<100))} ms`:`${(e/1e3).toFixed(2)} s`}function Ee(e){return U(`span`,{class:`badge ${e===`1`?`one`:`two`}`},e)}function De(e,t){let n=(e,t)=>Ce(e.properties.get(t)?.value),r=[];for(let i of new Set([...e.properties.keys(),...t.properties.keys()]))n(e,i)!==n(t,i)&&r.push({key:i,one:n(e,i),two:n(t,i)});for(let n of[`application`,`binding`,`world`,`seed`,`clock`])e.run[n]!==t.run[n]&&r.push({key:n,one:e.run[n]||`–`,two:t.run[n]||`–`});return r}function Oe(e,t){let n=De(e,t),r=n.length===1?n[0]:void 0;return r?[r.one,r.two]:[e.run.file,t.run.file].map(e=>e.replace(/\.mcap$/,``))}function ke(e){let[t,n]=Oe(e,e.other);return[Ee(`1`),` avatar `,U(`span`,{class:`dim`},t),` `,Ee(`2`),` avatar `,U(`span`,{class:`dim`},n)]}var Ae=(e,t)=>t&&e.numbers(t.topic,t.path);function je(e,t,n,r){let i=0,a=0;for(let o=0;e&&o<e.times.length;o++){let s=e.values[o];typeof s==`number`&&e.times[o]>=t-1e-9&&e.times[o]<=n+1e-9&&(i=r(i,s),a++)}return{sum:i,n:a}}var Me=(e,t,n)=>{let{sum:r,n:i}=je(e,t,n,(e,t)=>Math.max(e,Math.abs(t)));return i?r:void 0},Ne=(e,t,n)=>{let{sum:r,n:i}=je(e,t,n,(e,t)=>e+t*t);return i?Math.sqrt(r/i):void 0};function Pe(e){return e!==void 0&&Math.abs(e)>=1e3?[q(e/1e3,2),`m`]:[q(e,1),`mm`]}function Fe(e,t){let n=t/e;return e===void 0||t===void 0||!(e>0)||!Number.isFinite(n)?``:`× ${n>=1e3?q(Number(n.toPrecision(3)),0).replace(/^(\d)(\d{3})$/,`$1 $2`):n>=10?q(n,0):q(n,2)}`}function Ie(e,t,n){return typeof e!=`number`||typeof t!=`number`?``:`${t-e>0&&Number((t-e).toFixed(n))!==0?`+`:``}${q(t-e,n)}`}function Le(e,t,n){let r=t&&e.topics.get(t.topic);if(!r||!t)return;let i=0;for(let e=1;e<r.length;e++)r.message(e-1)?.[t.path]===n&&(i+=r.times[e]-r.times[e-1]);return i}var Re=e=>new Set(e.lines.filter(e=>/\btouch/i.test(e.text)).map(e=>e.time)).size;function ze(e,t,n,r){let i=[z(e),z(t)],a=n=>i[n]?(n?t:e).numbers(i[n].distance.topic,i[n].distance.path):void 0;if(!i[0]||!i[1])return[];let o=(n,r)=>[e,t].map((e,t)=>n(r?e.numbers(i[t].distance.topic,r):a(t),e)),s=(e,[t,n])=>{let[r,i]=Pe(t),[a,o]=Pe(n);return{name:e,one:`${r} ${i}`,two:`${a} ${o}`,unit:``,against:Fe(t,n)}},c=o(e=>Ne(e,0,1/0),`true_heading_deg`);return[s(`at A`,o(e=>e?.at(n))),s(`at B`,o(e=>e?.at(r))),s(`A → B, largest`,o(e=>Me(e,Math.min(n,r),Math.max(n,r)))),s(`A → B, RMS`,o(e=>Ne(e,Math.min(n,r),Math.max(n,r)))),s(`true, RMS of the run`,o(e=>Ne(e,0,1/0),`true_mm`)),s(`true, at the end`,o((e,t)=>e?.at(t.end),`true_mm`)),{name:`true heading, RMS`,one:q(c[0],2),two:q(c[1],c[1]>100?1:2),unit:`°`,against:Fe(...c)},s(`protection level, end`,[e,t].map((e,t)=>Ae(e,i[t].limit)?.at(e.end)))]}function Be(e,t){let n=[z(e),z(t)],r=[],i=[e,t],a=(e,t,n,a=``,o=!1)=>{let[s,c]=i.map(t),l=e=>typeof e==`number`?q(e,n):Ce(e);(s!==void 0||c!==void 0)&&r.push({name:e,one:l(s),two:l(c),unit:a,against:Ie(s,c,n),isBad:o&&c!==s})},o=e=>n[e]?.state,s=(e,t)=>t&&e.value(t.topic,t.path,e.end);a(`state at the end`,(e,t)=>s(e,o(t)),0,``,!0),a(`diverged`,(e,t)=>Le(e,o(t),`DIVERGED`),1,`s`),a(`warnings`,e=>e.lines.filter(e=>e.level===`warn`).length,0),a(`faults`,e=>e.lines.filter(e=>e.level===`error`).length,0),a(`touches`,Re,0),a(`fidelity, at the end`,(e,t)=>s(e,n[t]?.fidelity),2),r.forEach((e,t)=>{t===0&&(e.group=`behaviour`)});let c=[[`scale_left`,`robot, left wheel`],[`scale_right`,`robot, right wheel`],[`axle_scale`,`robot, axle`]],l=r.length;for(let[e,t]of c)a(t,t=>s(t,R(t,e)),3);return r[l]&&(r[l].group=`what was learnt of the robot`),r}function Ve(e,t){let n=Object.keys(e.summary).flatMap(n=>{let r=e.summary[n],i=t.summary[n];if(typeof r!=`number`||typeof i!=`number`||r===i||/wall|cpu|first_cycle/.test(n))return[];let a=e.run.units.get(n)??``;return[{name:n,one:Ce(r,a),two:Ce(i,a),unit:a,against:Fe(r,i),size:Math.abs(i-r)/(Math.abs(r)+Math.abs(i))}]}).sort((e,t)=>t.size-e.size).slice(0,16);return n[0]&&(n[0].group=`values at the end that differ most`),n}function He(e,t,n,r){let i=ze(e,t,n,r);return i.length?[...i,...Be(e,t)]:[...Be(e,t),...Ve(e,t)]}function Ue(e,t){let[n,r]=[pe(e).robot,pe(t).robot],i=n&&e.frames.tracks.get(n),a=0,o=0;for(let s=0;i&&r&&s<i.times.length;s+=Math.ceil(i.times.length/400)){let c=i.times[s],l=e.frames.inWorld(n,c),u=t.frames.inWorld(r,c);l&&u&&(a=Math.max(a,Math.hypot(l[0]-u[0],l[1]-u[1])*1e3),o++)}return o?a:void 0}function We(e,t){let n=[...e.properties].filter(([e,n])=>Ce(t.properties.get(e)?.value)===Ce(n.value)).length,r=[[`properties`,String(n),``]];for(let n of[`application`,`world`,`seed`])e.run[n]&&e.run[n]===t.run[n]&&r.push([n,e.run[n].replace(/^seed /,``),``]);let[i,a]=[e,t].map(e=>{let t=R(e,`driven_m`);return t&&e.value(t.topic,t.path,e.end)}),o=Ue(e,t);typeof i==`number`&&typeof a==`number`&&Math.abs(i-a)<.005&&r.push([`robot drove`,q(i,2),`m`]),o!==void 0&&r.push([`largest difference of its path`,q(o,o<1?0:1),`mm`]);let s=Object.entries(e.summary).filter(([e,n])=>/\.(commands|scans)$/.test(e)&&t.summary[e]===n);return[...r,...s.map(([e,t])=>[e,Ce(t),``])]}function Ge(e,t){let n=e=>e.lines.filter(e=>e.level!==`debug`),r=n(t),i=[];for(let t of n(e)){let e=r.findIndex(e=>Math.abs(e.time-t.time)<.06&&e.text===t.text);e>=0&&r.splice(e,1),i.push({time:t.time,text:t.text,who:e>=0?`=`:`1`,level:t.level})}return[...i,...r.map(e=>({time:e.time,text:e.text,who:`2`,level:e.level}))].sort((e,t)=>e.time-t.time)}function Ke(e,t){let n=ce(e),r=ce(t),i=[...r.filter(e=>!n.some(t=>t.text===e.text&&Math.abs(t.time-e.time)<1)),...n.filter(e=>!r.some(t=>t.text===e.text&&Math.abs(t.time-e.time)<1))].sort((e,t)=>e.time-t.time);return(i.find(e=>e.isChange)??i[0])?.time??e.start+(e.end-e.start)/8}var qe={double:1,float:2,int64:3,uint64:4,int32:5,fixed64:6,fixed32:7,bool:8,string:9,group:10,message:11,bytes:12,uint32:13,enum:14,sfixed32:15,sfixed64:16,sint32:17,sint64:18},Je=new TextDecoder,Ye=class{bytes;at=0;view;constructor(e){this.bytes=e,this.view=new DataView(e.buffer,e.byteOffset,e.byteLength)}get isAtEnd(){return this.at>=this.bytes.length}varint(){let e=0,t=1;for(let n=0;n<10;n++){let n=this.view.getUint8(this.at++);if(e+=(n&127)*t,t*=128,n<128)return e}throw RangeError(`a number of more than 10 bytes`)}signed(e){let t=this.varint();return t<2**63?e===32?t|0:t:t-2**64}zigzag(){let e=this.varint();return e%2==0?e/2:-(e+1)/2}piece(){let e=this.varint(),t=this.at;if(t+e>this.bytes.length)throw RangeError(`a field is longer than its message`);return this.at+=e,this.bytes.subarray(t,t+e)}skip(e){if(e===0)this.varint();else if(e===1)this.at+=8;else if(e===2)this.piece();else if(e===5)this.at+=4;else throw RangeError(`wire type ${e}`)}},Xe=class{bytes=[];varint(e){let t=BigInt.asUintN(64,BigInt(e));for(;t>127n;t>>=7n)this.bytes.push(Number(t&127n)|128);this.bytes.push(Number(t))}fixed(e,t){let n=new DataView(new ArrayBuffer(e));t(n),this.bytes.push(...new Uint8Array(n.buffer))}piece(e){this.varint(e.length),this.bytes.push(...e)}};function*Ze(e){let t=new Ye(e);for(;!t.isAtEnd;){let e=t.varint(),n=e&7;n===2?yield[e>>>3,t.piece()]:n===0?yield[e>>>3,t.varint()]:t.skip(n)}}function Qe(e,t){return[...Ze(e)].filter(([e,n])=>e===t&&typeof n!=`number`).map(([,e])=>e)}var $e=(e,t)=>Je.decode(Qe(e,t)[0]),et=(e,t)=>Number([...Ze(e)].find(([e])=>e===t)?.[1]??0),tt=class{types=new Map;enums=new Map;constructor(e){for(let t of Qe(e,1)){let e=$e(t,2);this.addScope(e?`.${e}`:``,Qe(t,4),Qe(t,5))}}addScope(e,t,n){for(let t of n)this.enums.set(`${e}.${$e(t,1)}`,new Map(Qe(t,2).map(e=>[et(e,2)|0,$e(e,1)])));for(let n of t){let t=`${e}.${$e(n,1)}`,r=new Map;for(let e of Qe(n,2)){let t=et(e,3);r.set(t,{name:$e(e,1),number:t,type:et(e,5),repeated:et(e,4)===3,typeName:$e(e,6)})}this.types.set(t,{name:t,fields:r,isMap:Qe(n,7).some(e=>et(e,7)===1)}),this.addScope(t,Qe(n,3),Qe(n,4))}}decoder(e){let t=this.types.get(`.${e}`);return t&&(e=>this.decode(t,e))}shape(e){return[...this.types.get(`.${e}`)?.fields.values()??[]].map(t=>({name:t.name,isNumber:!t.repeated&&![qe.message,qe.string,qe.bytes,qe.enum,qe.bool].includes(t.type),words:t.type===qe.enum?[...this.enums.get(t.typeName)?.values()??[]]:void 0,parts:t.type===qe.message&&!t.repeated&&t.typeName!==`.${e}`?this.shape(t.typeName.slice(1)):void 0}))}encode(e,t){return Uint8Array.from(this.write(this.types.get(`.${e}`),t))}write(e,t){let n=new Xe;for(let r of e?.fields.values()??[]){let e=t[r.name];for(let t of e===void 0?[]:r.repeated?e:[e])this.writeOne(n,r,t)}return n.bytes}writeOne(e,t,n){let r=n=>e.varint(t.number*8+n),i=Number(n);switch(t.type){case qe.double:r(1),e.fixed(8,e=>e.setFloat64(0,i,!0));break;case qe.float:r(5),e.fixed(4,e=>e.setFloat32(0,i,!0));break;case qe.fixed64:case qe.sfixed64:r(1),e.fixed(8,e=>e.setBigInt64(0,BigInt(i),!0));break;case qe.fixed32:case qe.sfixed32:r(5),e.fixed(4,e=>e.setInt32(0,i|0,!0));break;case qe.string:r(2),e.piece(new TextEncoder().encode(String(n)));break;case qe.bytes:r(2),e.piece(n);break;case qe.message:r(2),e.piece(this.write(this.types.get(t.typeName),n));break;case qe.enum:r(0),e.varint([...this.enums.get(t.typeName)??[]].find(([,e])=>e===n)?.[0]??i);break;case qe.sint32:case qe.sint64:r(0),e.varint(i<0?-2*i-1:2*i);break;default:r(0),e.varint(i)}}decode(e,t){let n={};for(let t of e.fields.values())n[t.name]=this.start(t);let r=new Ye(t);for(;!r.isAtEnd;){let t=r.varint(),i=t&7,a=e.fields.get(t>>>3);if(!a){r.skip(i);continue}if(!a.repeated){n[a.name]=this.value(a,r);continue}let o=n[a.name];if(i===2&&a.type!==qe.string&&a.type!==qe.bytes&&a.type!==qe.message){let e=new Ye(r.piece());for(;!e.isAtEnd;)o.push(this.value(a,e))}else o.push(this.value(a,r))}return n}start(e){if(e.repeated)return[];switch(e.type){case qe.message:return;case qe.string:return``;case qe.bytes:return new Uint8Array;case qe.bool:return!1;case qe.enum:return this.enums.get(e.typeName)?.get(0)??0;default:return 0}}value(e,t){let n=t.at,r=()=>(t.at+=8,n),i=()=>(t.at+=4,n);switch(e.type){case qe.double:return t.view.getFloat64(r(),!0);case qe.float:return t.view.getFloat32(i(),!0);case qe.fixed64:return Number(t.view.getBigUint64(r(),!0));case qe.sfixed64:return Number(t.view.getBigInt64(r(),!0));case qe.fixed32:return t.view.getUint32(i(),!0);case qe.sfixed32:return t.view.getInt32(i(),!0);case qe.bool:return t.varint()!==0;case qe.string:return Je.decode(t.piece());case qe.bytes:return t.piece();case qe.message:return this.message(e,t.piece());case qe.enum:{let n=t.signed(32);return this.enums.get(e.typeName)?.get(n)??n}case qe.sint32:case qe.sint64:return t.zigzag();case qe.int32:return t.signed(32);case qe.int64:return t.signed(64);default:return t.varint()}}message(e,t){let n=this.types.get(e.typeName);return n?this.decode(n,t):{}}},nt=new TextDecoder;function rt(e){if(e.encoding===`protobuf`){let t=new tt(e.schema).decoder(e.schemaName);if(t)return t}return e.encoding===`json`?e=>JSON.parse(nt.decode(e)):()=>({})}function it(e){let t=new Map;if(e.schemaEncoding!==`jsonschema`)return t;try{let n=JSON.parse(nt.decode(e.schema));for(let[e,{description:r=``}]of Object.entries(n.properties??{})){let[,n=``,i=``]=/^(?:\[([^\]]*)\] )?(.*)$/s.exec(r)??[];t.set(e,{unit:n,summary:i})}}catch{}return t}var at=e=>!/\/(PointCloud|PoseInFrame)$/.test(e)&&!/^\/world\/.*(?<!\/values)$/.test(e),ot=class{name;schema;facts;dropped=0;count=0;times=[];counts=[];bytes=[];values=[];decode;constructor(e){this.name=e.topic,this.schema=e.schemaName,this.facts=it(e),this.decode=rt(e)}get length(){return this.times.length}add(e,t,n){let r=this.times.length;this.count++,r>1&&e-this.times[r-2]<n?(this.times[r-1]=e,this.counts[r-1]=this.count,this.bytes[r-1]=t,this.values[r-1]=void 0):(this.times.push(e),this.counts.push(this.count),this.bytes.push(t),this.values.push(void 0))}forget(e){let t=Math.min(this.after(e),this.length-1);if(t>256||t>0&&t>this.length/2){for(let e of[this.times,this.counts,this.bytes,this.values])e.splice(0,t);this.dropped+=t}}has(e,t){for(let n=this.after(e)-1;n>=0&&this.times[n]===e;n--){let e=this.bytes[n];if(e.length===t.length&&e.every((e,n)=>e===t[n]))return!0}return!1}clear(){this.dropped+=this.length,this.times=[],this.counts=[],this.bytes=[],this.values=[]}after(e){let t=0,n=this.times.length;for(;t<n;){let r=t+n>>1;this.times[r]<=e?t=r+1:n=r}return t}message(e){if(!(e<0||e>=this.length))return this.values[e]??=this.decode(this.bytes[e])}at(e){return this.message(this.after(e)-1)}rate(e){let t=this.after(e),n=this.after(e-5),r=n>0?5:e-this.times[0];return t-n<2?0:(this.counts[t-1]-(n>0?this.counts[n-1]:this.counts[0]))/Math.max(r,1)}};function st(e,t){return e&&t in e?e[t]:t.split(`.`).reduce((e,t)=>e?.[t],e)}var ct=.008,lt=[250,500,1e3],ut=e=>Uint8Array.from(atob(e),e=>e.charCodeAt(0)),dt={encode:new TextEncoder,decode:new TextDecoder};function ft(e){return e.schemaEncoding===`protobuf`||e.encoding===`protobuf`?ut(e.schema):dt.encode.encode(e.schema)}var pt=class{store;address;socket;topics=new Map;calls=new Map;sets=new Map;calledLast=0;ports=[];pings=new Map;tries=0;clock=-1/0;constructor(e,t){this.store=e,this.address=t,e.setProperty=(e,t)=>this.set(e,t),e.publish=(e,t)=>this.publish(e,t),e.ping=()=>this.ping(),this.connect()}connect(){let e=new WebSocket(this.address,[`foxglove.websocket.v1`,`foxglove.sdk.v1`]);e.binaryType=`arraybuffer`,e.onmessage=e=>typeof e.data==`string`?this.onText(JSON.parse(e.data)):this.onBytes(new DataView(e.data)),e.onclose=()=>this.onClose(),this.socket=e}onClose(){let{store:e}=this;this.topics.clear(),e.services.clear(),[...this.calls.values(),...this.sets.values()].forEach(e=>e.failed(Error(`the run has ended`))),this.calls.clear(),this.ports=[],this.pings.forEach(e=>e.failed(Error(`the run is lost`))),this.pings.clear(),this.sets.clear(),e.me=``,e.movesHardware=!1,e.link===`live`&&(e.link=e.value(`/run/state`,`state`)===`ended`?`ended`:`lost`),e.changed(),setTimeout(()=>void this.again(),lt[Math.min(this.tries++,lt.length-1)])}async again(){let e=this.address.replace(/^.*\//,``),t=await fetch(`run.json`,{headers:{authorization:`Bearer ${e}`}}).catch(()=>void 0);t?.status===403?(this.store.link=`other`,this.store.changed()):t?this.connect():setTimeout(()=>void this.again(),lt[Math.min(this.tries++,lt.length-1)])}send(e){this.socket?.readyState===WebSocket.OPEN&&this.socket.send(JSON.stringify(e))}onText(e){let{store:t}=this;switch(e.op){case`serverInfo`:{let n=e.metadata??{};t.link=`live`,t.role=n.role??``,t.me=n.who??``,t.run.application||=String(e.name),this.tries=0,this.send({op:`subscribeParameterUpdates`,parameterNames:[]}),this.send({op:`getParameters`,parameterNames:[],id:`all`});break}case`advertise`:e.channels.forEach(e=>this.subscribe(e));break;case`advertiseServices`:e.services.forEach(e=>this.offer(e));break;case`unadvertiseServices`:for(let[n,r]of t.services)e.serviceIds.includes(r.id)&&t.services.delete(n);break;case`parameterValues`:e.parameters.forEach(e=>this.setParameter(e)),this.pong(String(e.id)),this.endSet(String(e.id));break;case`serviceCallFailure`:this.answer(Number(e.callId),void 0,String(e.message));break;case`status`:this.onStatus(Number(e.level),String(e.message))}t.changed()}onStatus(e,t){let n=/^(\d+) messages were skipped/.exec(t);if(n){this.store.skipped+=Number(n[1]);return}e===2&&this.store.onRefusal?.(t);let r=e===2?[...this.sets.values()].find(e=>t.startsWith(`${e.name}: `))??(this.sets.size===1?[...this.sets.values()][0]:void 0):void 0;r&&(r.why=t),this.store.lines.push({time:this.store.end,level:e===2?`error`:e===1?`warn`:`info`,from:`viewer`,text:t})}subscribe(e){let t=this.store.describe({topic:e.topic,encoding:e.encoding,schemaName:e.schemaName,schemaEncoding:e.schemaEncoding??(e.encoding===`json`?`jsonschema`:e.encoding),schema:ft(e)});if(this.topics.set(e.id,t),!at(e.topic))return;let n=/^(\/.*values$|doppel\.)/.test(e.schemaName)&&e.schemaName!==`doppel.StateReport`;this.send({op:`subscribe`,subscriptions:[{id:e.id,channelId:e.id,...n?{period:ct}:{}}]})}setParameter({name:e,value:t}){let n=e.indexOf(`.`),r=this.store.properties.get(e)??{component:e.slice(0,n),name:e.slice(n+1),value:t,unit:``,range:``,summary:``,live:this.store.run.components.length===0};r.value=t,this.store.properties.set(e,r)}publish(e,t){let n=this.ports.indexOf(e);n<0&&(n=this.ports.push(e)-1,this.send({op:`advertise`,channels:[{id:n+1,topic:e,encoding:`protobuf`,schemaName:``}]}));let r=new Uint8Array(5+t.length);r[0]=1,new DataView(r.buffer).setUint32(1,n+1,!0),r.set(t,5),this.socket?.readyState===WebSocket.OPEN&&this.socket.send(r)}ping(){return new Promise((e,t)=>{let n=this.store.properties.keys().next().value,r=`ping ${++this.calledLast}`;n===void 0||this.socket?.readyState!==WebSocket.OPEN?t(Error(`no run is connected`)):(this.pings.set(r,{done:e,failed:t}),this.send({op:`getParameters`,parameterNames:[n],id:r}))})}pong(e){this.pings.get(e)?.done(),this.pings.delete(e)}set(e,t){let n=`set ${++this.calledLast}`;return new Promise((r,i)=>{this.socket?.readyState===WebSocket.OPEN?(this.sets.set(n,{name:e,why:``,done:r,failed:i}),this.send({op:`setParameters`,parameters:[{name:e,value:t}],id:n})):i(Error(`no run is connected`))})}endSet(e){let t=this.sets.get(e);this.sets.delete(e),t?.why?t.failed(Error(t.why)):t?.done()}offer(e){let{request:t}=e,n=t?.encoding===`protobuf`?new tt(ut(t.schema)):void 0,r=e=>n?n.encode(t.schemaName,e):dt.encode.encode(JSON.stringify(e));this.store.services.set(e.name,{id:e.id,name:e.name,shape:n?.shape(t.schemaName)??[],call:t=>this.call(e.id,n?`protobuf`:`json`,r(t))})}call(e,t,n){let r=++this.calledLast,i=new Uint8Array(13+t.length+n.length),a=new DataView(i.buffer);return a.setUint8(0,2),a.setUint32(1,e,!0),a.setUint32(5,r,!0),a.setUint32(9,t.length,!0),i.set(dt.encode.encode(t),13),i.set(n,13+t.length),new Promise((e,t)=>{this.socket?.readyState===WebSocket.OPEN?(this.calls.set(r,{done:e,failed:t}),this.socket.send(i)):t(Error(`no run is connected`))})}answer(e,t,n){let r=this.calls.get(e);this.calls.delete(e),t===void 0?r?.failed(Error(n)):r?.done(t)}onBytes(e){let t=e.getUint8(0),n=t=>new Uint8Array(e.buffer,t);if(t===1){let t=this.topics.get(e.getUint32(1,!0));t&&this.store.add(t,Number(e.getBigUint64(5,!0))/1e9,n(13))}else if(t===2){let t=Number(e.getBigUint64(1,!0))/1e9;t<this.clock-.5&&this.store.restart(),this.clock=t,this.store.end=Math.max(this.store.end,t)}else if(t===3){let t=e.getUint32(9,!0);this.answer(e.getUint32(5,!0),dt.decode.decode(n(13+t)),``)}}},mt=[0,0,0,0,0,0,1],ht=1e-4;function gt(e,t,n,r){let[,,,i,a,o,s]=e,c=2*(a*r-o*n),l=2*(o*t-i*r),u=2*(i*n-a*t);return[t+s*c+a*u-o*l,n+s*l+o*c-i*u,r+s*u+i*l-a*c]}function _t(e,t){let[n,r,i]=gt(e,t[0],t[1],t[2]),[,,,a,o,s,c]=e,[,,,l,u,d,f]=t;return[e[0]+n,e[1]+r,e[2]+i,c*l+a*f+o*d-s*u,c*u-a*d+o*f+s*l,c*d+a*u-o*l+s*f,c*f-a*l-o*u-s*d]}function vt(e){return Math.atan2(2*(e[6]*e[5]+e[3]*e[4]),1-2*(e[4]*e[4]+e[5]*e[5]))}function yt(e,t,n){let r=e[3]*t[3]+e[4]*t[4]+e[5]*t[5]+e[6]*t[6]<0?-1:1,i=e.map((e,i)=>e+(t[i]*(i>2?r:1)-e)*n),a=Math.hypot(i[3],i[4],i[5],i[6])||1;for(let e=3;e<7;e++)i[e]=i[e]/a;return i}function bt(e,t){let n=e??{x:0,y:0,z:0},r=t;return!r||r.x===0&&r.y===0&&r.z===0&&!r.w?[n.x,n.y,n.z,0,0,0,1]:[n.x,n.y,n.z,r.x,r.y,r.z,r.w??1]}var xt=class{tracks=new Map;version=0;add(e,t){for(let n of e?.transforms??[]){let e=String(n.child_frame_id),r=bt(n.translation,n.rotation),i=this.tracks.get(e);i||(i={parent:String(n.parent_frame_id),times:[],poses:[],moves:!1},this.tracks.set(e,i),this.version++);let a=i.times.length,o=i.poses[0];a>0&&t<i.times[a-1]||(o&&!i.moves&&r.some((e,t)=>Math.abs(e-o[t])>ht)&&(i.moves=!0,this.version++),a>0&&i.times[a-1]===t?i.poses[a-1]=r:(i.times.push(t),i.poses.push(r)))}}forget(e){for(let{times:t,poses:n}of this.tracks.values()){let r=0;for(;r<t.length-1&&t[r]<e;)r++;r>200&&(t.splice(0,r),n.splice(0,r))}}clear(){this.tracks.clear(),this.version++}at(e,t){let n=this.tracks.get(e);if(!n)return;let{times:r,poses:i}=n,a=0,o=r.length;for(;a<o;){let e=a+o>>1;r[e]<=t?a=e+1:o=e}if(a===0)return;let s=r[a-1],c=r[a];return c===void 0||c-s>.5?i[a-1]:yt(i[a-1],i[a],(t-s)/(c-s))}inWorld(e,t){let n=mt;for(let r=0;r<32;r++){let r=this.tracks.get(e);if(!r)return n;let i=this.at(e,t);if(!i)return;n=_t(i,n),e=r.parent}return n}},St=class{topic;path;factor;times=[];values=[];taken=0;low=1/0;high=-1/0;constructor(e,t,n=1){this.topic=e,this.path=t,this.factor=n}take(){let{topic:e}=this,t=e.dropped;this.taken<t&&(this.taken=t);let n=this.times.length-(this.taken-t);n>0&&(this.times.splice(0,n),this.values.splice(0,n));let r=this.times.length;r>0&&this.times[r-1]!==e.times[r-1]&&(this.times.pop(),this.values.pop(),this.taken--);for(let n=this.taken-t;n<e.length;n++,this.taken++){let t=st(e.message(n),this.path);this.times.push(e.times[n]);let r=typeof t==`number`?t*this.factor:typeof t==`boolean`?Number(t):null;this.values.push(r),r!==null&&(this.low=Math.min(this.low,r),this.high=Math.max(this.high,r))}return this}span(){return this.low<=this.high?[this.low,this.high]:[0,0]}at(e){return this.values[this.topic.after(e)-1]??void 0}},Ct={DEBUG:`debug`,INFO:`info`,WARNING:`warn`,ERROR:`error`,FATAL:`error`},wt=class{topics=new Map;lines=[];frames=new xt;properties=new Map;services=new Map;run={application:``,binding:``,world:``,seed:``,clock:``,file:``,components:[],connections:[],units:new Map,executors:[]};summary={};other;marks={};hover;view=`scene`;link=`connecting`;isReading=!1;why=``;role=``;me=``;skipped=0;first=1/0;end=0;cursor;selected=``;version=0;epoch=0;publish;ping;onRefusal;movesHardware=!1;isDriving=!1;setProperty;gap=1/200;series=new Map;listeners=new Set;get isRecording(){return this.link===`recording`}get time(){return this.cursor??this.end}get start(){return Math.min(this.first,this.end)}onChange(e){this.listeners.add(e)}changed(){this.listeners.forEach(e=>e())}select(e){this.selected=e,this.changed()}show(e){this.cursor=e===void 0?void 0:Math.max(this.start,Math.min(this.end,e)),!this.isRecording&&this.cursor!==void 0&&this.cursor>=this.end&&(this.cursor=void 0),this.other&&this.cursor!==void 0&&(this.marks.B=this.cursor),this.changed()}mark(e,t){this.marks[e]=t===void 0?void 0:Math.max(this.start,Math.min(this.end,t)),this.changed()}describe(e){let t=this.topics.get(e.topic);return t||(t=new ot(e),this.topics.set(e.topic,t)),t}add(e,t,n){if(!at(e.name)){e.count++;return}let r=e.schema===`foxglove.FrameTransforms`,i=e.schema===`foxglove.Log`||e.schema===`foxglove.SceneUpdate`||e.name===`/verdicts`,a=e.times[e.length-1]??-1/0;t<a&&!r&&!i||e.name===`/verdicts`&&e.has(t,n)||(e.add(Math.max(t,a),n,i?0:this.gap),e.schema===`foxglove.Log`&&this.addLine(e),r&&this.frames.add(e.message(e.length-1),t),/^\/(scene|run|tf|log|events|verdicts)\b/.test(e.name)||(this.first=Math.min(this.first,t)),this.end=Math.max(this.end,t),this.version++)}forget(){let e=this.end-60;if(!(this.isRecording||e<this.first)){for(let t of this.topics.values())t.schema!==`foxglove.SceneUpdate`&&t.name!==`/verdicts`&&t.forget(e-1);this.frames.forget(e-1),this.first=Math.max(this.first,e),this.lines.length>4e3&&this.lines.splice(0,1e3)}}restart(){for(let e of this.topics.values())/^\/(scene|run\/.*)$/.test(e.name)||e.clear();this.frames.clear(),this.lines=[],this.series.clear(),this.first=1/0,this.end=0,this.cursor=void 0,this.epoch++}numbers(e,t,n=1){let r=this.topics.get(e),i=`${e} ${t} ${n}`;if(!r)return;let a=this.series.get(i);return a||(a=new St(r,t,n),this.series.set(i,a)),a.take()}value(e,t,n=this.time){return st(this.topics.get(e)?.at(n),t)}addLine(e){let t=e.message(e.length-1),n={time:e.times[e.length-1],level:Ct[String(t.level)]??`info`,from:String(t.name??``),text:String(t.message??``)};this.lines.slice(-20).some(e=>e.time===n.time&&e.from===n.from&&e.text===n.text)||this.lines.push(n)}};function Tt(e,t,n,r=[]){return new Promise(i=>{let a,o=r.map(e=>U(`input`,{value:String(Number(e.value.toPrecision(9))),inputmode:`decimal`,"aria-label":`${e.name} in ${e.unit}`,"aria-describedby":`not-so`})),s=U(`p`,{class:`refused`,id:`not-so`,role:`alert`}),c=U(`form`,{submit:e=>{e.preventDefault();let t=o.map(e=>e.value.trim()===``?NaN:Number(e.value)),n=t.findIndex(e=>!Number.isFinite(e));s.textContent=n<0?``:`${r[n].name}: '${o[n].value}' is no number in ${r[n].unit}`,n>=0?o[n].focus():(a=Object.fromEntries(r.map((e,n)=>[e.name,t[n]])),l.close())}},U(`p`,{},t),U(`table`,{},U(`tbody`,{},...r.map((e,t)=>U(`tr`,{},U(`td`,{class:`first`},e.name),U(`td`,{},o[t],U(`span`,{class:`unit`},` ${e.unit}`)))))),s,U(`div`,{class:`answers`},U(`button`,{class:`yes`},n),U(`button`,{type:`button`,click:()=>l.close()},`Cancel`))),l=U(`dialog`,{"aria-label":e,keydown:e=>{e.repeat&&e.key===`Enter`&&e.preventDefault()},close:()=>{l.remove(),i(a)}},U(`h2`,{},e),c);document.body.append(l),l.showModal()})}function Et(e){return e.topics.get(`/run/state`)?.at(e.end)??{}}function Dt(e){let{controller:t}=Et(e);return e.isRecording?`a recording takes no requests`:e.link===`live`?e.role===`control`?t&&t!==e.me?`${t} controls: take the control first`:``:`this address is for looking only: with --allow-control the run prints one that may ask`:`no run is connected`}async function Ot(e,t,n){return Et(e).hardware&&!e.movesHardware?(e.movesHardware=await Tt(t,`This run moves real hardware: it may move from now on.`,n)!==void 0,e.movesHardware):!0}async function kt(e,t,n={}){await At(e);let r=e.services.get(t);if(!r)throw Error(`this run does not offer ${t}`);return r.call(n)}async function At(e){let t=Dt(e);if(t)throw Error(t);Et(e).controller||await e.services.get(`/run/control`)?.call({take:!0})}var jt=[`bg0`,`bg1`,`bg2`,`line`,`text`,`dim`,`real`,`avatar`,`danger`,`ok`,`wall`,`object`,`floor`,`band`],J={},Mt=new Set;function Nt(){let e=getComputedStyle(document.documentElement);for(let t of jt)J[t]=e.getPropertyValue(`--${t}`).trim();J.isLight=document.documentElement.dataset.theme===`light`}function Pt(e){Mt.add(e)}function Ft(e){document.documentElement.dataset.theme=e;try{localStorage.setItem(`theme`,e)}catch{}Nt(),Mt.forEach(e=>e())}function It(){let e=null;try{e=localStorage.getItem(`theme`)}catch{}Ft((e??(matchMedia(`(prefers-color-scheme: light)`).matches?`light`:`dark`))===`light`?`light`:`dark`)}var Lt=0;function Rt(e){let t=document.querySelector(`.toast`)??document.body.appendChild(U(`div`,{class:`toast`,role:`status`}));t.textContent=e,clearTimeout(Lt),Lt=window.setTimeout(()=>t.remove(),5e3)}var zt=[{name:`robot`,key:`1`,start:!0},{name:`avatar`,key:`2`,start:!0},{name:`laser`,key:`3`,start:!0},{name:`trails`,key:`4`,start:!0},{name:`error ribbon`,key:`5`,start:!0},{name:`lens`,key:`6`,start:!0},{name:`collision`,key:`7`,start:!1},{name:`frames`,key:`8`,start:!1},{name:`contacts`,key:`9`,start:!1},{name:`joints`,key:`j`,start:!1},{name:`wireframe`,key:`0`,start:!1}],Bt=class{on=new Set(zt.filter(e=>e.start).map(e=>e.name));listeners=new Set;has(e){return this.on.has(e)}toggle(e){this.on.delete(e)||this.on.add(e),this.listeners.forEach(e=>e())}hidden=new Set;hide(e,t){t?this.hidden.add(e):this.hidden.delete(e),this.listeners.forEach(e=>e())}isHidden(e){for(let t of this.hidden)if(e===t||e.startsWith(`${t}/`))return!0;return!1}onChange(e){this.listeners.add(e)}},Vt=[[`space`,`pause and go on`],[`→ ←`,`a step forward, back`],[`End`,`back to live, or to the end`],[`1 … 9, 0, j`,`layers: ${zt.map(e=>e.name).join(`, `)}`],[`f`,`the camera follows the robot`],[`c`,`next camera`],[`a b`,`cursor A, B at the time that is shown`],[`n`,`write a note into the run`],[`h`,`drag bodies of a world`],[`g`,`graph of the components`],[`⇧ W A S D`,`drive, after control was taken; also arrows`],[`/`,`find in the log`],[`t`,`light or dark`],[`Esc Esc`,`STOP ROBOT`],[`?`,`this sheet`]];function Ht(){let e=U(`button`,{click:()=>t.close()},`Close`),t=U(`dialog`,{"aria-label":`Keys of this page`,close:()=>t.remove()},U(`h2`,{},`Keys of this page`),U(`table`,{},U(`tbody`,{},...Vt.map(([e,t])=>U(`tr`,{},U(`td`,{class:`first`},U(`span`,{class:`key`},e)),U(`td`,{},t))))),e);document.body.append(t),t.showModal()}var Ut=`M3 2h3v10H3zM8 2h3v10H8z`,Wt=`M3 1.5l9 5.5-9 5.5z`,Gt=`M2 2l6.5 5L2 12zM10 2h2v10h-2z`;function Kt(e){let t=document.createElementNS(`http://www.w3.org/2000/svg`,`svg`),n=document.createElementNS(`http://www.w3.org/2000/svg`,`path`);for(let[e,n]of Object.entries({width:`14`,height:`14`,viewBox:`0 0 14 14`,"aria-hidden":`true`}))t.setAttribute(e,n);return n.setAttribute(`d`,e),n.setAttribute(`fill`,`currentColor`),t.append(n),t}function qt(){return U(`span`,{"aria-hidden":`true`},U(`span`,{class:`dot real`,id:`logo-robot`}),U(`span`,{class:`dot dashed avatar`,id:`logo-avatar`}))}function Jt(e){let t=e.services.get(`/run/stop`);t?t.call({}).then(()=>Rt(`the robot is stopped`),e=>Rt(e.message)):Rt(`no robot is connected: nothing is stopped`)}var Yt={name:`transport`,place:`top`,fits:()=>!0,make({store:e,player:t}){let n=(t,n={})=>kt(e,t,n).catch(e=>Rt(e.message)),r=()=>Et(e),i=()=>e.me!==``&&r().controller===e.me,a=()=>e.isRecording?!t.isPlaying:r().state===`paused`,o=U(`button`,{class:`primary`,id:`pause`,click:()=>{e.isRecording?t.play(!t.isPlaying):n(a()?`/run/resume`:`/run/pause`)}}),s=U(`button`,{id:`step`,click:()=>e.isRecording?e.show(e.time+.05):void n(`/run/step`,{cycles:1})},Kt(Gt),` Step`),c=U(`button`,{id:`run-for`,click:()=>void n(`/run/run_for`,{seconds:10})},`Run for `,U(`span`,{class:`unit`},`10 s`)),l=U(`select`,{id:`speed`,"aria-label":`Speed of the recording`,change:()=>t.setSpeed(Number(l.value))},...[`0.25`,`0.5`,`1`,`2`,`4`,`8`].map(e=>U(`option`,{value:e,selected:e===`1`},`${e}×`))),u=U(`button`,{class:`stop`,id:`stop`,click:()=>Jt(e)},`STOP ROBOT`),d=U(`div`,{class:`name`}),f=U(`span`,{class:`small`}),p=U(`span`,{class:`small dim`}),m=(e,t=!1)=>{let n=U(`span`,t?{class:`big`}:{});return{element:U(`div`,{class:`fact`},U(`small`,{},e),n),value:n}},h=m(`simulated time`,!0),g=m(`real-time factor`),_=m(`overruns`),v=m(`dropped`),y=m(`length`),b=m(`aligned by`),x=U(`button`,{id:`control`,click:()=>void e.services.get(`/run/control`)?.call({take:!i()}).catch(e=>Rt(e.message))}),S=U(`button`,{class:`icon`,"aria-label":`Light or dark theme`,title:`light or dark`,click:()=>Ft(document.documentElement.dataset.theme===`light`?`dark`:`light`)},`◐`),C=U(`button`,{class:`icon`,"aria-label":`Keys of this page`,title:`keys`,click:()=>Ht()},`?`),w=U(`div`,{class:`top`},U(`h1`,{},qt(),`Doppel`),d,o,s,c,l,h.element,y.element,b.element,g.element,_.element,v.element,U(`div`,{class:`space`}),f,x,S,C,u,p),T=``,E=[];return{element:w,update(){let{run:t}=e,n=r(),m=e.link===`live`,S=[e.other?`two recordings`:t.binding,t.world,t.seed].filter(Boolean),C=n.clock!==`real`&&t.clock!==`real`,w=[t.application,...S].join(` · `);w!==d.dataset.text&&(d.dataset.text=w,d.replaceChildren(U(`b`,{},t.application||`no run`),...S.length?[U(`span`,{class:`dim`},` · ${S.join(` · `)}`)]:[]),d.title=w,document.title=t.application?`${t.application} – Doppel`:`Doppel`);let D=a(),O=Dt(e),k=e.isRecording||!O&&e.services.has(`/run/pause`)&&n.can_pause!==!1,A=e.isRecording?D?`Play`:`Pause`:D?`Resume`:`Pause`;A!==T&&(o.replaceChildren(Kt(D?Wt:Ut),` ${A}`),T=A);let j=e.isRecording?``:O||n.why_not||(k?``:`this run offers no pause`);for(let e of[o,s,c])e.disabled=!k,e.title=j;for(s.disabled||D||e.isRecording||(s.disabled=!0,s.title=`pause the run first`),c.hidden=e.isRecording,l.hidden=!e.isRecording,W(h.element.firstChild,e.other?`cursor B`:e.isRecording?`recorded time`:C?`simulated time`:`time of the run`),W(h.value,we(e.time)),G(y.value,(e.end-e.start).toFixed(2),`s`),y.element.hidden=!e.isRecording,W(b.value,`run time`),b.element.hidden=!e.other,_.element.hidden=e.isRecording,E.push([performance.now()/1e3,e.end]);E.length>30;)E.shift();let[M,N]=E[0],[ee,te]=E[E.length-1];W(g.value,m&&ee-M>.5?(n.real_time_factor??(te-N)/(ee-M)).toFixed(2):`–`),W(_.value,String(Xt(e))),W(v.value,String(e.skipped)),g.element.hidden=v.element.hidden=e.isRecording;let P=e.isRecording?`no robot connected`:m?e.services.has(`/run/stop`)?``:`not offered by this run`:`no robot connected`;u.disabled=P!==``,u.title=P||`also: Esc twice`,p.dataset.text!==P&&(p.dataset.text=P,p.replaceChildren(P||U(`span`,{class:`key`},`Esc Esc`))),n.controller&&!i()&&(e.movesHardware=!1),x.hidden=!m||e.role!==`control`||!e.services.has(`/run/control`),W(x,i()?`Give back`:`Take control`);let ne=m?e.isDriving?`you drive`:i()?`you control`:`${n.controller?`${n.controller} controls`:`nobody controls`}${e.role===`control`?``:`, you look`}`:Zt(e);f.dataset.text!==ne&&(f.dataset.text=ne,f.title=m?O:``,f.replaceChildren(U(`span`,{class:`dot ${m?O?`dim`:`ok`:e.isRecording?`dim`:`danger`}`}),ne))}}}};function Xt(e){let t=0;for(let n of e.topics.values()){let r=n.name.startsWith(`/executors/`)||n.facts.has(`overruns`)?n.at(e.time)?.overruns:0;t+=typeof r==`number`?r:0}return t}function Zt(e){return{none:`the address has no token: open the one that the run has printed`,connecting:`connecting`,lost:`the run is lost, trying again`,ended:`the run has ended`,other:`the run is gone; another one is here: open the address that it has printed (doppel ps)`,recording:`recording`,live:``}[e.link]}var Qt=[`A`,`B`],$t=class{store;track;flags;buttons=Qt.map(e=>({name:e,element:U(`button`,{class:`mark`,id:`mark-${e}`,"aria-label":`Cursor ${e} at the time that is shown`,title:`${e} at the time that is shown; pressed there again: away`,click:()=>en(this.store,e)},e)}));band=U(`div`,{class:`between`});constructor(e,t){this.store=e,this.track=t,this.flags=Qt.map(e=>({name:e,element:this.flag(e)})),t.append(this.band,...this.flags.map(e=>e.element))}get row(){return U(`div`,{class:`marks`},...this.buttons.map(e=>e.element))}get words(){let{A:e,B:t}=this.store.marks;return e===void 0||t===void 0?``:`A → B ${(t-e).toFixed(2).replace(`-`,`−`)} s`}flag(e){let{store:t}=this,n=e=>t.start+(e.clientX-this.track.getBoundingClientRect().left)/this.track.clientWidth*(t.end-t.start),r=n=>{t.mark(e,n),t.other&&e===`B`&&t.show(n)},i=U(`button`,{class:`flag`,role:`slider`,"aria-label":`Cursor ${e}`,pointerdown:e=>i.setPointerCapture(e.pointerId),pointermove:e=>{e.buttons&&r(n(e))},keydown:n=>{let i={ArrowLeft:-.1,ArrowRight:.1,PageDown:-1,PageUp:1}[n.key];if(n.key===`Delete`)t.mark(e,void 0);else if(i)r((t.marks[e]??t.time)+i);else return;n.preventDefault(),n.stopPropagation()}},e);return i}update(e){let{store:t}=this,{A:n,B:r}=t.marks;for(let{name:n,element:r}of this.flags){let i=t.marks[n];if(r.hidden=i===void 0||i<t.start-1e-6,i!==void 0){r.style.left=`${e(i)}px`;for(let[e,n]of[[`min`,t.start],[`max`,t.end],[`now`,i]])r.setAttribute(`aria-value${e}`,n.toFixed(3));r.setAttribute(`aria-valuetext`,we(i))}}for(let{name:e,element:n}of this.buttons)n.setAttribute(`aria-pressed`,String(t.marks[e]!==void 0));let i=n!==void 0&&r!==void 0;if(this.band.hidden=!i,i){let[t,i]=[e(n),e(r)].sort((e,t)=>e-t);this.band.style.left=`${t}px`,this.band.style.width=`${i-t}px`}}};function en(e,t){let n=e.hover??e.time,r=e.marks[t];e.mark(t,r!==void 0&&Math.abs(r-n)<1e-6?void 0:n)}function tn({store:e,layers:t}){let n=-1/0,r=e=>{let t=document.getElementById(e);t?.disabled?Rt(t.title):t?.click()},i={" ":()=>r(`pause`),ArrowRight:()=>e.isRecording?e.show(e.time+.1):r(`step`),ArrowLeft:()=>e.show(e.time-.1),End:()=>r(`live`),f:()=>document.dispatchEvent(new CustomEvent(`camera`,{detail:`follow`})),c:()=>document.dispatchEvent(new CustomEvent(`camera`,{detail:`next`})),"/":()=>document.getElementById(`find`)?.focus(),t:()=>Ft(document.documentElement.dataset.theme===`light`?`dark`:`light`),"?":Ht,a:()=>en(e,`A`),b:()=>en(e,`B`),n:()=>r(`note`),h:()=>r(`drag`),g:()=>{e.view=e.view===`graph`?`scene`:`graph`,e.changed()},...Object.fromEntries(zt.map(e=>[e.key,()=>t.toggle(e.name)]))};document.addEventListener(`keydown`,t=>{let r=t.target,a=r.matches(`input:not([type=range]), select, textarea`);if(t.key===`Escape`){t.timeStamp-n<600&&Jt(e),n=t.timeStamp,a&&r.blur();return}if(a||t.ctrlKey||t.metaKey||t.altKey||document.querySelector(`dialog[open]`)||t.key===` `&&r.matches(`button`)||r.matches(`input[type=range]`)&&![`ArrowLeft`,`ArrowRight`].includes(t.key)&&t.key.startsWith(`Arrow`))return;let o=i[t.key];o&&(t.preventDefault(),o())})}var nn=3,rn=7,an=12;function on(e){let t=[];for(let n of e.topics.values())if(!(n.schema!==`foxglove.SceneUpdate`||n.name.endsWith(`/live`)||n.length===0))for(let e of n.message(n.length-1).entities??[])/\/(joints\/[^/]*|collision)$/.test(e.id)||t.push(String(e.id));return t}function sn(e){let t={name:``,path:``,children:new Map};for(let n of e){let e=t;for(let t of n.split(`/`)){let n=e.children.get(t);n||(n={name:t,path:e.path?`${e.path}/${t}`:t,children:new Map},e.children.set(t,n)),e=n}}return t}var cn={name:`assembly`,place:`left`,fits:e=>{let t=on(e);return t.length>=rn||t.filter(e=>e.split(`/`).length>2).length>=nn},make({store:e,layers:t}){let n=U(`div`,{class:`rows tree`,role:`tree`,"aria-label":`Assembly`}),r=U(`span`,{}),i=new Set,a=``,o=(n,r)=>[...n.children.values()].flatMap(n=>{let a=n.children.size===0,s=i.has(n.path),c=t.hidden.has(n.path),l=U(`div`,{class:`branch`,role:`treeitem`},U(`button`,{class:`name`,title:n.path,click:()=>{a?e.select(n.path):i.delete(n.path)||i.add(n.path),e.changed()}},U(`span`,{class:`dim`},a?``:s?`▸`:`▾`),` ${n.name}`),U(`button`,{class:`icon`,"aria-pressed":String(c),"aria-label":`Hide ${n.path}`,title:c?`show`:`hide`,click:()=>t.hide(n.path,!c)},c?`○`:`●`));return l.style.paddingLeft=`${16+r*12}px`,ye(l,`later`,t.isHidden(n.path)),[l,...s?[]:o(n,r+1)]});return{element:K(`Assembly`,r,n),update(){let s=on(e),c=`${s.length} ${s[s.length-1]} ${[...i].join()} ${[...t.hidden].join()}`;if(c===a)return;let l=sn(s);a===``&&s.length>an&&l.children.forEach(e=>{e.children.size>an?i.add(e.path):e.children.forEach(e=>{e.children.size&&i.add(e.path)})}),a=c,W(r,`${s.length} parts`),n.replaceChildren(...o(l,0))}}}},ln=(e,t)=>{let n=e.topics.get(t);return n&&n.length>0?n.message(n.length-1):void 0};function un(e){return ln(e,`/run/world_inputs`)??[]}function dn(e){return new Map((ln(e,`/run/hands`)??[]).map(e=>[e.channel,e]))}function fn(e,t){return e.find(e=>e.channel===t||e.channel.endsWith(`/${t}`))}var pn=e=>e.size===7&&e.channel.endsWith(`/grip`);function mn(e,t){return un(e).filter(e=>pn(e)&&`/${t}`.endsWith(`/${e.channel.replace(/\/grip$/,``)}`)).sort((e,t)=>t.channel.length-e.channel.length)[0]}var hn=(e,t)=>[...e.frames.tracks.keys()].find(n=>mn(e,n)?.channel===t.channel);function gn(e,t){return Dt(e)||(e.cursor===void 0?t?.commander?`${t.commander} commands it`:``:`this is what held then: back to live to change something`)}async function _n(e,t,n,r){let i=gn(e,t);if(i)throw Error(i);let a=await kt(e,`/world/put`,{channel:t.channel,value:n,...r===void 0?{}:{seconds:r}});return JSON.parse(a).pending?`, as soon as time moves`:``}function vn(e){let t=e.split(`/`).slice(1).join(` `).replace(/_/g,` `);return t.slice(0,1).toUpperCase()+t.slice(1)}var yn=/^(.*?)(\d+)\/on$/,bn=new WeakMap;function xn(e,t){let n=new Map;for(let e of t.facts.keys()){let[,t,r]=yn.exec(e)??[];t&&r&&/call/.test(t)&&n.set(t,(n.get(t)??new Map).set(Number(r),e))}let r=[...new Set([...n.values()].flatMap(e=>[...e.keys()]))].sort((e,t)=>e-t);if(r.length<2)return;let i,a=0;for(let[n,{unit:r}]of t.facts){let[o,s]=n.endsWith(`/position`)&&r===`m`?e.numbers(t.name,n).span():[0,0];s-o>a*1.2&&(a=s-o,i=n)}return{topic:t,floors:r,calls:[...n].map(([e,t])=>({name:e,paths:t})),...i?{car:i}:{}}}function Sn(e){for(let t of e.topics.values()){if(!L(t.name)?.startsWith(`world/`)||t.length===0)continue;let n=bn.get(t);if((!n||t.count>n.n*1.1+4)&&bn.set(t,n={n:t.count,lift:xn(e,t)}),n.lift)return n.lift}}function Cn(e,t,n){return fn(e,`${L(t.topic.name).slice(6)}/${n.replace(/on$/,`press`)}`)}function wn(e,t){for(let n of e.topics.values())if(n.schema===`foxglove.SceneUpdate`&&n.length!==0)for(let e of n.message(0).entities??[]){let n=new Map;for(let t of e.cubes??[]){let e=`${t.size.x} ${t.size.y} ${t.size.z}`;n.set(e,[...n.get(e)??[],t.pose?.position?.z??0])}for(let e of n.values())if(e.length===t.floors.length)return(Math.max(...e)-Math.min(...e))/(e.length-1)}}var Tn=10;function En(e){let t=ve(e,`doppel.AxisState`),n=t.find(e=>!/simulation|avatar/i.test(e.name))??t[0],r=n?.message(n.length-1)?.position;return n&&Array.isArray(r)?r.map((e,t)=>({name:`Axis ${t+1}`,topic:n.name,path:`position.${t}`,factor:1e3,unit:`mm`,decimals:2})):[...e.topics.values()].filter(e=>L(e.name)?.startsWith(`world/`)).flatMap(e=>[...e.facts].filter(([e])=>e.endsWith(`/position`)).map(([t,{unit:n}])=>{let r=t.slice(0,-9).replace(/^.*\/(?=[^/]*[^\d/][^/]*$)/,``);return n===`rad`?{name:r,topic:e.name,path:t,factor:180/Math.PI,unit:`°`,decimals:1}:{name:r,topic:e.name,path:t,factor:1e3,unit:`mm`,decimals:1}})).slice(0,Tn)}var Dn={name:`axes`,place:`left`,fits:e=>!Sn(e)&&En(e).length>0,make({store:e}){let t=U(`div`,{}),n=K(`Axes`,`of what they went through`,t),r=n.querySelector(`h2`),i=``,a=[];return{element:n,update(){let o=En(e),s=o.map(e=>e.topic+e.path).join();W(r,o[0]?.path.startsWith(`position.`)?`Axes`:`Joints`),n.setAttribute(`aria-label`,r.textContent),s!==i&&(i=s,a=o.map(e=>({axis:e,mark:U(`i`,{}),value:U(`span`,{class:`num`})})),t.replaceChildren(...a.map(e=>U(`div`,{class:`axis`,title:e.axis.path},U(`span`,{},e.axis.name),U(`span`,{class:`rail`},e.mark),e.value))));for(let{axis:t,mark:n,value:r}of a){let i=e.numbers(t.topic,t.path,t.factor),a=i?.at(e.time),[o,s]=i?.span()??[0,0];G(r,q(a,t.decimals),t.unit);let c=a!==void 0&&s-o>.001?(a-o)/(s-o):.5;n.style.left=`${(Math.max(0,Math.min(1,c))*100).toFixed(1)}%`}}}}},On=[[`scale_left`,`left wheel`,0],[`scale_right`,`right wheel`,1],[`axle_scale`,`axle`,2]],kn=[[`tracking`,`pose is tracked`],[`fidelity_agreement`,`scan agrees with map`],[`fidelity_covariance`,`sure of the place`]];function An(e){for(let t of e.topics.values())if(/Calibration$/.test(t.schema))return t.at(e.time)??{sigma:[],identified:[]};return{sigma:[],identified:[]}}var jn={name:`belief`,place:`right`,fits:e=>R(e,`scale_left`,`fidelity`)!==void 0,make({store:e}){let t=U(`span`,{}),n=U(`tbody`,{}),r=[...On,...kn].map(([,e])=>{let t=U(`td`,{class:`num`}),n=U(`td`,{class:`num dim`});return{row:U(`tr`,{},U(`td`,{},e),t,n),value:t,sigma:n}});return n.append(...r.map(e=>e.row)),{element:K(`Why it is believed`,t,U(`table`,{},U(`thead`,{},U(`tr`,{},U(`th`,{},`as identified`),U(`th`,{class:`num`},`estimate`),U(`th`,{class:`num`},`±`))),n)),update(){let n=z(e),i=An(e),a=n?.fidelity&&e.value(n.fidelity.topic,n.fidelity.path);W(t,typeof a==`number`?`fidelity ${q(a,2)}`:``),[...On.map(e=>e[0]),...kn.map(e=>e[0])].forEach((t,n)=>{let a=R(e,t),o=a&&e.value(a.topic,a.path),s=r[n];s.row.hidden=!a||n>=3&&R(e,On[0][0])!==void 0,W(s.value,q(typeof o==`number`?o:void 0,n<3?3:2));let c=n<3?i.sigma?.[n]:void 0;W(s.sigma,c===void 0?``:q(c,3))})}}}},Mn=24,Nn=.3,Pn=(e,t)=>/up/.test(e)?`▲`:/down/.test(e)?`▼`:String(t),Fn=e=>/up/.test(e)?0:/down/.test(e)?1:2;function In(e,t,n,r){let i=be(e);if(!i)return;let a=e.clientWidth,o=t.floors.length;i.fillStyle=J.bg0,i.fillRect(0,0,a,o*Mn),i.strokeStyle=J.line;for(let e=0;e<=o;e++)i.strokeRect(.5,e*Mn+.5,a-1,0);if(i.strokeRect(.5,.5,a-1,o*Mn-1),n===void 0)return;let s=(o-1-n)*Mn+3,c=a/2-20,l=r*18;i.strokeStyle=J.dim,i.beginPath(),i.moveTo(a/2,0),i.lineTo(a/2,s),i.stroke(),i.fillStyle=J.avatar,i.globalAlpha=.3,i.fillRect(c,s,40,19),i.globalAlpha=1,i.strokeStyle=J.avatar,i.lineWidth=2,i.strokeRect(c,s,40,19),i.fillStyle=J.text,i.fillRect(a/2-l-1.5,s+2,2,15),i.fillRect(a/2+l-.5,s+2,2,15)}var Ln={name:`calls`,place:`left`,width:320,fits:e=>Sn(e)!==void 0,make({store:e}){let t=U(`canvas`,{class:`shaft`,role:`img`,"aria-label":`Shaft`}),n=U(`div`,{class:`floors`}),r=U(`div`,{class:`lamps`}),i=``,a=[],o=(t,n,r)=>{let i=`${t.replace(/_/g,` `)} ${n}`;return r?U(`button`,{class:`lamp`,"aria-label":i,click:()=>{_n(e,r,!0,Nn).catch(e=>Rt(`${i}: ${e.message}`))}},Pn(t,n)):U(`span`,{class:`lamp`,title:i},Pn(t,n))};return{element:K(`Calls`,`landing, car`,U(`div`,{class:`lift`},n,t,r)),update(){let s=Sn(e);if(!s)return;let c=e.isRecording||!e.services.has(`/world/put`)?[]:un(e),l=`${s.topic.name} ${s.floors.join()} ${c.length}`;if(l!==i){i=l,a=[],t.style.height=`${s.floors.length*Mn}px`;let e=[...s.floors].reverse(),u=[...s.calls].sort((e,t)=>Fn(e.name)-Fn(t.name));n.replaceChildren(...e.map(e=>U(`span`,{},String(e)))),r.replaceChildren(...e.map(e=>U(`div`,{},...u.map(({name:t,paths:n})=>{let r=n.get(e),i=r?Cn(c,s,r):void 0;if(!r)return U(`span`,{class:`lamp none`});let l=o(t,e,i);return a.push({path:r,element:l,...i?{input:i}:{}}),l}))))}let u=s.topic.at(e.time),d=wn(e,s),f=s.car?u?.[s.car]:void 0;for(let{path:t,element:n,input:r}of a){if(ye(n,`lit`,u?.[t]===!0),!r)continue;let i=gn(e,r);n.setAttribute(`aria-pressed`,String(u?.[t]===!0)),n.setAttribute(`aria-disabled`,String(i!==``)),n.title=i||r.summary}let p=typeof f==`number`&&d?f/d:void 0,m=[...s.topic.facts.keys()].find(e=>/door.*\/position$/.test(e)),h=m?e.numbers(s.topic.name,m).span():[0,0],g=m&&h[1]>0?Number(u?.[m]??0)/h[1]:0;[...n.children].forEach((e,t)=>ye(e,`here`,p!==void 0&&Math.round(p)===s.floors.length-1-t)),In(t,s,p,Math.max(0,Math.min(1,g))),W(t,p===void 0?``:`the car is at floor ${p.toFixed(1)}`)}}}},Rn=!0,zn=`uplot`,Bn=`u-hz`,Vn=`u-vt`,Hn=`u-title`,Un=`u-wrap`,Wn=`u-under`,Gn=`u-over`,Kn=`u-axis`,qn=`u-off`,Jn=`u-select`,Yn=`u-cursor-x`,Xn=`u-cursor-y`,Zn=`u-cursor-pt`,Qn=`u-legend`,$n=`u-live`,er=`u-inline`,tr=`u-series`,nr=`u-marker`,rr=`u-label`,ir=`u-value`,ar=`width`,or=`height`,sr=`top`,cr=`bottom`,lr=`left`,ur=`right`,dr=`#000`,fr=`#0000`,pr=`mousemove`,mr=`mousedown`,hr=`mouseup`,gr=`mouseenter`,_r=`mouseleave`,vr=`dblclick`,yr=`resize`,br=`scroll`,xr=`change`,Sr=`dppxchange`,Cr=`--`,wr=typeof window<`u`,Tr=wr?document:null,Er=wr?window:null,Dr=wr?navigator:null,Or,kr;function Ar(){let e=devicePixelRatio;Or!=e&&(Or=e,kr&&Gr(xr,kr,Ar),kr=matchMedia(`(min-resolution: ${Or-.001}dppx) and (max-resolution: ${Or+.001}dppx)`),Wr(xr,kr,Ar),Er.dispatchEvent(new CustomEvent(Sr)))}function jr(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function Mr(e,t){let n=e.classList;n.contains(t)&&n.remove(t)}function Nr(e,t,n){e.style[t]=n+`px`}function Pr(e,t,n,r){let i=Tr.createElement(e);return t!=null&&jr(i,t),n?.insertBefore(i,r),i}function Fr(e,t){return Pr(`div`,e,t)}var Ir=new WeakMap;function Lr(e,t,n,r,i){let a=`translate(`+t+`px,`+n+`px)`;a!=Ir.get(e)&&(e.style.transform=a,Ir.set(e,a),t<0||n<0||t>r||n>i?jr(e,qn):Mr(e,qn))}var Rr=new WeakMap;function zr(e,t,n){let r=t+n;r!=Rr.get(e)&&(Rr.set(e,r),e.style.background=t,e.style.borderColor=n)}var Br=new WeakMap;function Vr(e,t,n,r){let i=t+``+n;i!=Br.get(e)&&(Br.set(e,i),e.style.height=n+`px`,e.style.width=t+`px`,e.style.marginLeft=r?-t/2+`px`:0,e.style.marginTop=r?-n/2+`px`:0)}var Hr={passive:!0},Ur={...Hr,capture:!0};function Wr(e,t,n,r){t.addEventListener(e,n,r?Ur:Hr)}function Gr(e,t,n,r){t.removeEventListener(e,n,Hr)}wr&&Ar();function Kr(e,t,n,r){let i;n||=0,r||=t.length-1;let a=r<=2147483647;for(;r-n>1;)i=a?n+r>>1:mi((n+r)/2),t[i]<e?n=i:r=i;return e-t[n]<=t[r]-e?n:r}function qr(e){return(t,n,r)=>{let i=-1,a=-1;for(let a=n;a<=r;a++)if(e(t[a])){i=a;break}for(let i=r;i>=n;i--)if(e(t[i])){a=i;break}return[i,a]}}var Jr=e=>e!=null,Yr=e=>e!=null&&e>0,Xr=qr(Jr),Zr=qr(Yr);function Qr(e,t,n,r=0,i=!1){let a=i?Zr:Xr,o=i?Yr:Jr;[t,n]=a(e,t,n);let s=e[t],c=e[t];if(t>-1){if(r==1)s=e[t],c=e[n];else if(r==-1)s=e[n],c=e[t];else for(let r=t;r<=n;r++){let t=e[r];o(t)&&(t<s?s=t:t>c&&(c=t))}}return[s??Ti,c??-Ti]}function $r(e,t,n,r){let i=bi(e),a=bi(t);e==t&&(i==-1?(e*=n,t/=n):(e/=n,t*=n));let o=n==10?xi:Si,s=i==1?mi:gi,c=a==1?gi:mi,l=s(o(pi(e))),u=c(o(pi(t))),d=yi(n,l),f=yi(n,u);return n==10&&(l<0&&(d=Vi(d,-l)),u<0&&(f=Vi(f,-u))),r||n==2?(e=d*i,t=f*a):(e=Bi(e,d),t=zi(t,f)),[e,t]}function ei(e,t,n,r){let i=$r(e,t,n,r);return e==0&&(i[0]=0),t==0&&(i[1]=0),i}var ti=.1,ni={mode:3,pad:ti},ri={pad:0,soft:null,mode:0},ii={min:ri,max:ri};function ai(e,t,n,r){return Qi(n)?ci(e,t,n):(ri.pad=n,ri.soft=r?0:null,ri.mode=r?3:0,ci(e,t,ii))}function oi(e,t){return e??t}function si(e,t,n){for(t=oi(t,0),n=oi(n,e.length-1);t<=n;){if(e[t]!=null)return!0;t++}return!1}function ci(e,t,n){let r=n.min,i=n.max,a=oi(r.pad,0),o=oi(i.pad,0),s=oi(r.hard,-Ti),c=oi(i.hard,Ti),l=oi(r.soft,Ti),u=oi(i.soft,-Ti),d=oi(r.mode,0),f=oi(i.mode,0),p=t-e,m=xi(p),h=vi(pi(e),pi(t)),g=pi(xi(h)-m);(p<1e-24||g>10)&&(p=0,(e==0||t==0)&&(p=1e-24,d==2&&l!=Ti&&(a=0),f==2&&u!=-Ti&&(o=0)));let _=p||h||1e3,v=yi(10,mi(xi(_))),y=Vi(Bi(e-_*(p==0?e==0?.1:1:a),v/10),24),b=e>=l&&(d==1||d==3&&y<=l||d==2&&y>=l)?l:Ti,x=vi(s,y<b&&e>=b?b:_i(b,y)),S=Vi(zi(t+_*(p==0?t==0?.1:1:o),v/10),24),C=t<=u&&(f==1||f==3&&S>=u||f==2&&S<=u)?u:-Ti,w=_i(c,S>C&&t<=C?C:vi(C,S));return x==w&&x==0&&(w=100),[x,w]}var li=new Intl.NumberFormat(wr?Dr.language:`en-US`),ui=e=>li.format(e),di=Math,fi=di.PI,pi=di.abs,mi=di.floor,hi=di.round,gi=di.ceil,_i=di.min,vi=di.max,yi=di.pow,bi=di.sign,xi=di.log10,Si=di.log2,Ci=(e,t=1)=>di.sinh(e)*t,wi=(e,t=1)=>di.asinh(e/t),Ti=1/0;function Ei(e){return(xi((e^e>>31)-(e>>31))|0)+1}function Di(e,t,n){return _i(vi(e,t),n)}function Oi(e){return typeof e==`function`}function ki(e){return Oi(e)?e:()=>e}var Ai=()=>{},ji=e=>e,Mi=(e,t)=>t,Ni=e=>null,Pi=e=>!0,Fi=(e,t)=>e==t,Ii=/\.\d*?(?=9{6,}|0{6,})/gm,Li=e=>{if(Yi(e)||Hi.has(e))return e;let t=`${e}`,n=t.match(Ii);if(n==null)return e;let r=n[0].length-1;if(t.indexOf(`e-`)!=-1){let[e,n]=t.split(`e`);return+`${Li(e)}e${n}`}return Vi(e,r)};function Ri(e,t){return Li(Vi(Li(e/t))*t)}function zi(e,t){return Li(gi(Li(e/t))*t)}function Bi(e,t){return Li(mi(Li(e/t))*t)}function Vi(e,t=0){if(Yi(e))return e;let n=10**t;return hi(e*n*(1+2**-52))/n}var Hi=new Map;function Ui(e){return((``+e).split(`.`)[1]||``).length}function Wi(e,t,n,r){let i=[],a=r.map(Ui);for(let o=t;o<n;o++){let t=pi(o),n=Vi(yi(e,o),t);for(let s=0;s<r.length;s++){let c=e==10?+`${r[s]}e${o}`:r[s]*n,l=(o>=0?0:t)+(o>=a[s]?0:a[s]),u=e==10?c:Vi(c,l);i.push(u),Hi.set(u,l)}}return i}var Gi={},Ki=[],qi=[null,null],Ji=Array.isArray,Yi=Number.isInteger,Xi=e=>e===void 0;function Zi(e){return typeof e==`string`}function Qi(e){let t=!1;if(e!=null){let n=e.constructor;t=n==null||n==Object}return t}function $i(e){return typeof e==`object`&&!!e}var ea=Object.getPrototypeOf(Uint8Array),ta=`__proto__`;function na(e,t=Qi){let n;if(Ji(e)){let r=e.find(e=>e!=null);if(Ji(r)||t(r)){n=Array(e.length);for(let r=0;r<e.length;r++)n[r]=na(e[r],t)}else n=e.slice()}else if(e instanceof ea)n=e.slice();else if(t(e)){n={};for(let r in e)r!=ta&&(n[r]=na(e[r],t))}else n=e;return n}function ra(e){let t=arguments;for(let n=1;n<t.length;n++){let r=t[n];for(let t in r)t!=ta&&(Qi(e[t])?ra(e[t],na(r[t])):e[t]=na(r[t]))}return e}var ia=0,aa=1,oa=2;function sa(e,t,n){for(let r=0,i,a=-1;r<t.length;r++){let o=t[r];if(o>a){for(i=o-1;i>=0&&e[i]==null;)e[i--]=null;for(i=o+1;i<n&&e[i]==null;)e[a=i++]=null}}}function ca(e,t){if(da(e)){let t=e[0].slice();for(let n=1;n<e.length;n++)t.push(...e[n].slice(1));return fa(t[0])||(t=ua(t)),t}let n=new Set;for(let t=0;t<e.length;t++){let r=e[t][0],i=r.length;for(let e=0;e<i;e++)n.add(r[e])}let r=[Array.from(n).sort((e,t)=>e-t)],i=r[0].length,a=new Map;for(let e=0;e<i;e++)a.set(r[0][e],e);for(let n=0;n<e.length;n++){let o=e[n],s=o[0];for(let e=1;e<o.length;e++){let c=o[e],l=Array(i).fill(void 0),u=t?t[n][e]:aa,d=[];for(let e=0;e<c.length;e++){let t=c[e],n=a.get(s[e]);t===null?u!=ia&&(l[n]=t,u==oa&&d.push(n)):l[n]=t}sa(l,d,i),r.push(l)}}return r}var la=typeof queueMicrotask>`u`?e=>Promise.resolve().then(e):queueMicrotask;function ua(e){let t=e[0],n=t.length,r=Array(n);for(let e=0;e<r.length;e++)r[e]=e;r.sort((e,n)=>t[e]-t[n]);let i=[];for(let t=0;t<e.length;t++){let a=e[t],o=Array(n);for(let e=0;e<n;e++)o[e]=a[r[e]];i.push(o)}return i}function da(e){let t=e[0][0],n=t.length;for(let r=1;r<e.length;r++){let i=e[r][0];if(i.length!=n)return!1;if(i!=t){for(let e=0;e<n;e++)if(i[e]!=t[e])return!1}}return!0}function fa(e,t=100){let n=e.length;if(n<=1)return!0;let r=0,i=n-1;for(;r<=i&&e[r]==null;)r++;for(;i>=r&&e[i]==null;)i--;if(i<=r)return!0;let a=vi(1,mi((i-r+1)/t));for(let t=e[r],n=r+a;n<=i;n+=a){let r=e[n];if(r!=null){if(r<=t)return!1;t=r}}return!0}var pa=[`January`,`February`,`March`,`April`,`May`,`June`,`July`,`August`,`September`,`October`,`November`,`December`],ma=[`Sunday`,`Monday`,`Tuesday`,`Wednesday`,`Thursday`,`Friday`,`Saturday`];function ha(e){return e.slice(0,3)}var ga=ma.map(ha),_a={MMMM:pa,MMM:pa.map(ha),WWWW:ma,WWW:ga};function va(e){return(e<10?`0`:``)+e}function ya(e){return(e<10?`00`:e<100?`0`:``)+e}var ba={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+``).slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>va(e.getMonth()+1),M:e=>e.getMonth()+1,DD:e=>va(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>va(e.getHours()),H:e=>e.getHours(),h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?`PM`:`AM`,aa:e=>e.getHours()>=12?`pm`:`am`,a:e=>e.getHours()>=12?`p`:`a`,mm:e=>va(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>va(e.getSeconds()),s:e=>e.getSeconds(),fff:e=>ya(e.getMilliseconds())};function xa(e,t){t||=_a;let n=[],r=/\{([a-z]+)\}|[^{]+/gi,i;for(;i=r.exec(e);)n.push(i[0][0]==`{`?ba[i[1]]:i[0]);return e=>{let r=``;for(let i=0;i<n.length;i++)r+=typeof n[i]==`string`?n[i]:n[i](e,t);return r}}var Sa=new Intl.DateTimeFormat().resolvedOptions().timeZone;function Ca(e,t){let n;return t==`UTC`||t==`Etc/UTC`?n=new Date(+e+e.getTimezoneOffset()*6e4):t==Sa?n=e:(n=new Date(e.toLocaleString(`en-US`,{timeZone:t})),n.setMilliseconds(e.getMilliseconds())),n}var wa=e=>e%1==0,Ta=[1,2,2.5,5],Ea=Wi(10,-32,0,Ta),Da=Wi(10,0,32,Ta),Oa=Da.filter(wa),ka=Ea.concat(Da),Aa=`
`,ja=`{YYYY}`,Ma=Aa+ja,Na=`{M}/{D}`,Pa=Aa+Na,Fa=Pa+`/{YY}`,Ia=`{aa}`,La=`{h}:{mm}`+Ia,Ra=Aa+La,za=`:{ss}`,Ba=null;function Va(e){let t=e*1e3,n=t*60,r=n*60,i=r*24,a=i*30,o=i*365,s=(e==1?Wi(10,0,3,Ta).filter(wa):Wi(10,-3,0,Ta)).concat([t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,r,r*2,r*3,r*4,r*6,r*8,r*12,i,i*2,i*3,i*4,i*5,i*6,i*7,i*8,i*9,i*10,i*15,a,a*2,a*3,a*4,a*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),c=[[o,ja,Ba,Ba,Ba,Ba,Ba,Ba,1],[i*28,`{MMM}`,Ma,Ba,Ba,Ba,Ba,Ba,1],[i,Na,Ma,Ba,Ba,Ba,Ba,Ba,1],[r,`{h}`+Ia,Fa,Ba,Pa,Ba,Ba,Ba,1],[n,La,Fa,Ba,Pa,Ba,Ba,Ba,1],[t,za,Fa+` `+La,Ba,Pa+` `+La,Ba,Ra,Ba,1],[e,za+`.{fff}`,Fa+` `+La,Ba,Pa+` `+La,Ba,Ra,Ba,1]];function l(t){return(s,c,l,u,d,f)=>{let p=[],m=d>=o,h=d>=a&&d<o,g=t(l),_=Vi(g*e,3),v=Za(g.getFullYear(),m?0:g.getMonth(),h||m?1:g.getDate()),y=Vi(v*e,3);if(h||m){let n=h?d/a:0,r=m?d/o:0,i=_==y?_:Vi(Za(v.getFullYear()+r,v.getMonth()+n,1)*e,3),s=new Date(hi(i/e)),c=s.getFullYear(),l=s.getMonth();for(let a=0;i<=u;a++){let o=Za(c+r*a,l+n*a,1),s=o-t(Vi(o*e,3));i=Vi((+o+s)*e,3),i<=u&&p.push(i)}}else{let a=d>=i?i:d,o=y+(mi(l)-mi(_))+zi(_-y,a);p.push(o);let m=t(o),h=m.getHours()+m.getMinutes()/n+m.getSeconds()/r,g=d/r,v=f/s.axes[c]._space;for(;o=Vi(o+d,e==1?0:3),!(o>u);)if(g>1){let e=mi(Vi(h+g,6))%24,n=t(o).getHours()-e;n>1&&(n=-1),o-=n*r,h=(h+g)%24;let i=p[p.length-1];Vi((o-i)/d,3)*v>=.7&&p.push(o)}else p.push(o)}return p}}return[s,c,l]}var[Ha,Ua,Wa]=Va(1),[Ga,Ka,qa]=Va(.001);Wi(2,-53,53,[1]);function Ja(e,t){return e.map(e=>e.map((n,r)=>r==0||r==8||n==null?n:t(r==1||e[8]==0?n:e[1]+n)))}function Ya(e,t){return(n,r,i,a,o)=>{let s=t.find(e=>o>=e[0])||t[t.length-1],c,l,u,d,f,p;return r.map(t=>{let n=e(t),r=n.getFullYear(),i=n.getMonth(),a=n.getDate(),o=n.getHours(),m=n.getMinutes(),h=n.getSeconds(),g=r!=c&&s[2]||i!=l&&s[3]||a!=u&&s[4]||o!=d&&s[5]||m!=f&&s[6]||h!=p&&s[7]||s[1];return c=r,l=i,u=a,d=o,f=m,p=h,g(n)})}}function Xa(e,t){let n=xa(t);return(t,r,i,a,o)=>r.map(t=>n(e(t)))}function Za(e,t,n){return new Date(e,t,n)}function Qa(e,t){return t(e)}var $a=`{YYYY}-{MM}-{DD} {h}:{mm}{aa}`;function eo(e,t){return(n,r,i,a)=>a==null?Cr:t(e(r))}function to(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.width?n.points.stroke(e,t):null}function no(e,t){return e.series[t].fill(e,t)}var ro={show:!0,live:!0,isolate:!1,mount:Ai,markers:{show:!0,width:2,stroke:to,fill:no,dash:`solid`},idx:null,idxs:null,values:[]};function io(e,t){let n=e.cursor.points,r=Fr(),i=n.size(e,t);Nr(r,ar,i),Nr(r,or,i);let a=i/-2;Nr(r,`marginLeft`,a),Nr(r,`marginTop`,a);let o=n.width(e,t,i);return o&&Nr(r,`borderWidth`,o),r}function ao(e,t){let n=e.series[t].points;return n._fill||n._stroke}function oo(e,t){let n=e.series[t].points;return n._stroke||n._fill}function so(e,t){return e.series[t].points.size}var co=[0,0];function lo(e,t,n){return co[0]=t,co[1]=n,co}function uo(e,t,n,r=!0){return e=>{e.button!=0||r&&e.target!=t||n(e)}}function fo(e,t,n,r=!0){return e=>{r&&e.target!=t||n(e)}}var po={show:!0,x:!0,y:!0,lock:!1,move:lo,points:{one:!1,show:io,size:so,width:0,stroke:oo,fill:ao},bind:{mousedown:uo,mouseup:uo,click:uo,dblclick:uo,mousemove:fo,mouseleave:fo,mouseenter:fo},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,n,r,i)=>r-i,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},mo={show:!0,stroke:`rgba(0,0,0,0.07)`,width:2},ho=ra({},mo,{filter:Mi}),go=ra({},ho,{size:10}),_o=ra({},mo,{show:!1}),vo=`12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"`,yo=`bold `+vo,bo=1.5,xo={show:!0,scale:`x`,stroke:dr,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:yo,side:2,grid:ho,ticks:go,border:_o,font:vo,lineGap:bo,rotate:0},So=`Value`,Co=`Time`,wo={show:!0,scale:`x`,auto:!1,sorted:1,min:Ti,max:-1/0,idxs:[]};function To(e,t,n,r,i){return t.map(e=>e==null?``:ui(e))}function Eo(e,t,n,r,i,a,o){let s=[],c=Hi.get(i)||0;n=o?n:Vi(zi(n,i),c);for(let e=n;e<=r;e=Vi(e+i,c))s.push(Object.is(e,-0)?0:e);return s}function Do(e,t,n,r,i,a,o){let s=[],c=e.scales[e.axes[t].scale].log;i=yi(c,mi((c==10?xi:Si)(n))),c==10&&(i=ka[Kr(i,ka)]);let l=n,u=i*c;c==10&&(u=ka[Kr(u,ka)]);do s.push(l),l+=i,c==10&&!Hi.has(l)&&(l=Vi(l,Hi.get(i))),l>=u&&(i=l,u=i*c,c==10&&(u=ka[Kr(u,ka)]));while(l<=r);return s}function Oo(e,t,n,r,i,a,o){let s=e.scales[e.axes[t].scale].asinh,c=r>s?Do(e,t,vi(s,n),r,i):[s],l=r>=0&&n<=0?[0]:[];return(n<-s?Do(e,t,vi(s,-r),-n,i):[s]).reverse().map(e=>-e).concat(l,c)}var ko=/./,Ao=/[12357]/,jo=/[125]/,Mo=/1/,No=(e,t,n,r)=>e.map((e,i)=>t==4&&e==0||i%r==0&&n.test(e.toExponential()[+(e<0)])?e:null);function Po(e,t,n,r,i){let a=e.axes[n],o=a.scale,s=e.scales[o],c=e.valToPos,l=a._space,u=c(10,o),d=c(9,o)-u>=l?ko:c(7,o)-u>=l?Ao:c(5,o)-u>=l?jo:Mo;if(d==Mo){let e=pi(c(1,o)-u);if(e<l)return No(t.slice().reverse(),s.distr,d,gi(l/e)).reverse()}return No(t,s.distr,d,1)}function Fo(e,t,n,r,i){let a=e.axes[n],o=a.scale,s=a._space,c=e.valToPos,l=pi(c(1,o)-c(2,o));return l<s?No(t.slice().reverse(),3,ko,gi(s/l)).reverse():t}function Io(e,t,n,r){return r==null?Cr:t==null?``:ui(t)}var Lo={show:!0,scale:`y`,stroke:dr,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:yo,side:3,grid:ho,ticks:go,border:_o,font:vo,lineGap:bo,rotate:0};function Ro(e,t){return Vi((3+(e||1)*2)*t,3)}function zo(e,t){let{scale:n,idxs:r}=e.series[0],i=e._data[0],a=e.valToPos(i[r[0]],n,!0),o=pi(e.valToPos(i[r[1]],n,!0)-a)/(e.series[t].points.space*Or);return r[1]-r[0]<=o}var Bo={scale:null,auto:!0,sorted:0,min:Ti,max:-1/0},Vo=(e,t,n,r,i)=>i,Ho={show:!0,auto:!0,sorted:0,gaps:Vo,alpha:1,facets:[ra({},Bo,{scale:`x`}),ra({},Bo,{scale:`y`})]},Uo={scale:`y`,auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:Vo,alpha:1,points:{show:zo,filter:null},values:null,min:Ti,max:-1/0,idxs:[],path:null,clip:null};function Wo(e,t,n,r,i){return n/10}var Go={time:Rn,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Ko=ra({},Go,{time:!1,ori:1}),qo={};function Jo(e,t){let n=qo[e];return n||(n={key:e,plots:[],sub(e){n.plots.push(e)},unsub(e){n.plots=n.plots.filter(t=>t!=e)},pub(e,t,r,i,a,o,s){for(let c=0;c<n.plots.length;c++)n.plots[c]!=t&&n.plots[c].pub(e,t,r,i,a,o,s)}},e!=null&&(qo[e]=n)),n}var Yo=1,Xo=2;function Zo(e,t,n){let r=e.mode,i=e.series[t],a=r==2?e._data[t]:e._data,o=e.scales,s=e.bbox,c=a[0],l=r==2?a[1]:a[t],u=r==2?o[i.facets[0].scale]:o[e.series[0].scale],d=r==2?o[i.facets[1].scale]:o[i.scale],f=s.left,p=s.top,m=s.width,h=s.height,g=e.valToPosH,_=e.valToPosV;return u.ori==0?n(i,c,l,u,d,g,_,f,p,m,h,os,cs,us,fs,ms):n(i,c,l,u,d,_,g,p,f,h,m,ss,ls,ds,ps,hs)}function Qo(e,t){let n=0,r=0,i=oi(e.bands,Ki);for(let e=0;e<i.length;e++){let a=i[e];a.series[0]==t?n=a.dir:a.series[1]==t&&(a.dir==1?r|=1:r|=2)}return[n,r==1?-1:r==2?1:r==3?2:0]}function $o(e,t,n,r,i){let a=e.mode,o=e.series[t],s=a==2?o.facets[1].scale:o.scale,c=e.scales[s];return i==-1?c.min:i==1?c.max:c.distr==3?c.dir==1?c.min:c.max:0}function es(e,t,n,r,i,a){return Zo(e,t,(e,t,o,s,c,l,u,d,f,p,m)=>{let h=e.pxRound,g=s.dir*(s.ori==0?1:-1),_=s.ori==0?cs:ls,v,y;g==1?(v=n,y=r):(v=r,y=n);let b=h(l(t[v],s,p,d)),x=h(u(o[v],c,m,f)),S=h(l(t[y],s,p,d)),C=h(u(a==1?c.max:c.min,c,m,f)),w=new Path2D(i);return _(w,S,C),_(w,b,C),_(w,b,x),w})}function ts(e,t,n,r,i,a){let o=null;if(e.length>0){o=new Path2D;let s=t==0?us:ds,c=n;for(let t=0;t<e.length;t++){let n=e[t];if(n[1]>n[0]){let e=n[0]-c;e>0&&s(o,c,r,e,r+a),c=n[1]}}let l=n+i-c;l>0&&s(o,c,r-5,l,r+a+10)}return o}function ns(e,t,n){let r=e[e.length-1];r&&r[0]==t?r[1]=n:e.push([t,n])}function rs(e,t,n,r,i,a,o){let s=[],c=e.length;for(let l=i==1?n:r;l>=n&&l<=r;l+=i)if(t[l]===null){let u=l,d=l;if(i==1)for(;++l<=r&&t[l]===null;)d=l;else for(;--l>=n&&t[l]===null;)d=l;let f=a(e[u]),p=d==u?f:a(e[d]),m=u-i;f=o<=0&&m>=0&&m<c?a(e[m]):f;let h=d+i;p=o>=0&&h>=0&&h<c?a(e[h]):p,p>=f&&s.push([f,p])}return s}function is(e){return e==0?ji:e==1?hi:t=>Ri(t,e)}function as(e){let t=e==0?os:ss,n=e==0?(e,t,n,r,i,a)=>{e.arcTo(t,n,r,i,a)}:(e,t,n,r,i,a)=>{e.arcTo(n,t,i,r,a)},r=e==0?(e,t,n,r,i)=>{e.rect(t,n,r,i)}:(e,t,n,r,i)=>{e.rect(n,t,i,r)};return(e,i,a,o,s,c=0,l=0)=>{c==0&&l==0?r(e,i,a,o,s):(c=_i(c,o/2,s/2),l=_i(l,o/2,s/2),t(e,i+c,a),n(e,i+o,a,i+o,a+s,c),n(e,i+o,a+s,i,a+s,l),n(e,i,a+s,i,a,l),n(e,i,a,i+o,a,c),e.closePath())}}var os=(e,t,n)=>{e.moveTo(t,n)},ss=(e,t,n)=>{e.moveTo(n,t)},cs=(e,t,n)=>{e.lineTo(t,n)},ls=(e,t,n)=>{e.lineTo(n,t)},us=as(0),ds=as(1),fs=(e,t,n,r,i,a)=>{e.arc(t,n,r,i,a)},ps=(e,t,n,r,i,a)=>{e.arc(n,t,r,i,a)},ms=(e,t,n,r,i,a,o)=>{e.bezierCurveTo(t,n,r,i,a,o)},hs=(e,t,n,r,i,a,o)=>{e.bezierCurveTo(n,t,i,r,o,a)};function gs(e){return(e,t,n,r,i)=>Zo(e,t,(t,a,o,s,c,l,u,d,f,p,m)=>{let{pxRound:h,points:g}=t,_,v;s.ori==0?(_=os,v=fs):(_=ss,v=ps);let y=Vi(g.width*Or,3),b=(g.size-g.width)/2*Or,x=Vi(b*2,3),S=new Path2D,C=new Path2D,{left:w,top:T,width:E,height:D}=e.bbox;us(C,w-x,T-x,E+x*2,D+x*2);let O=e=>{if(o[e]!=null){let t=h(l(a[e],s,p,d)),n=h(u(o[e],c,m,f));_(S,t+b,n),v(S,t,n,b,0,fi*2)}};if(i)i.forEach(O);else for(let e=n;e<=r;e++)O(e);return{stroke:y>0?S:null,fill:S,clip:C,flags:3}})}function _s(e){return(t,n,r,i,a,o)=>{r!=i&&(a!=r&&o!=r&&e(t,n,r),a!=i&&o!=i&&e(t,n,i),e(t,n,o))}}var vs=_s(cs),ys=_s(ls);function bs(e){let t=oi(e?.alignGaps,0);return(e,n,r,i)=>Zo(e,n,(a,o,s,c,l,u,d,f,p,m,h)=>{[r,i]=Xr(s,r,i);let g=a.pxRound,_=e=>g(u(e,c,m,f)),v=e=>g(d(e,l,h,p)),y,b;c.ori==0?(y=cs,b=vs):(y=ls,b=ys);let x=c.dir*(c.ori==0?1:-1),S={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Yo},C=S.stroke,w=!1;if(i-r>=m*4){let t=t=>e.posToVal(t,c.key,!0),n=null,a=null,l,u,d,f=_(o[x==1?r:i]),p=_(o[r]),m=_(o[i]),h=t(x==1?p+1:m-1);for(let e=x==1?r:i;e>=r&&e<=i;e+=x){let r=o[e],i=(x==1?r<h:r>h)?f:_(r),c=s[e];i==f?c==null?c===null&&(w=!0):(u=c,n==null?(y(C,i,v(u)),l=n=a=u):u<n?n=u:u>a&&(a=u)):(n!=null&&b(C,f,v(n),v(a),v(l),v(u)),c==null?(n=a=null,c===null&&(w=!0)):(u=c,y(C,i,v(u)),n=a=l=u),f=i,h=t(f+x))}n!=null&&n!=a&&d!=f&&b(C,f,v(n),v(a),v(l),v(u))}else for(let e=x==1?r:i;e>=r&&e<=i;e+=x){let t=s[e];t===null?w=!0:t!=null&&y(C,_(o[e]),v(t))}let[T,E]=Qo(e,n);if(a.fill!=null||T!=0){let t=S.fill=new Path2D(C),s=v(a.fillTo(e,n,a.min,a.max,T)),c=_(o[r]),l=_(o[i]);x==-1&&([l,c]=[c,l]),y(t,l,s),y(t,c,s)}if(!a.spanGaps){let l=[];w&&l.push(...rs(o,s,r,i,x,_,t)),S.gaps=l=a.gaps(e,n,r,i,l),S.clip=ts(l,c.ori,f,p,m,h)}return E!=0&&(S.band=E==2?[es(e,n,r,i,C,-1),es(e,n,r,i,C,1)]:es(e,n,r,i,C,E)),S})}function xs(e){let t=oi(e.align,1),n=oi(e.ascDesc,!1),r=oi(e.alignGaps,0),i=oi(e.extend,!1);return(e,a,o,s)=>Zo(e,a,(c,l,u,d,f,p,m,h,g,_,v)=>{[o,s]=Xr(u,o,s);let y=c.pxRound,{left:b,width:x}=e.bbox,S=e=>y(p(e,d,_,h)),C=e=>y(m(e,f,v,g)),w=d.ori==0?cs:ls,T={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Yo},E=T.stroke,D=d.dir*(d.ori==0?1:-1),O=C(u[D==1?o:s]),k=S(l[D==1?o:s]),A=k,j=k;i&&t==-1&&(j=b,w(E,j,O)),w(E,k,O);for(let e=D==1?o:s;e>=o&&e<=s;e+=D){let n=u[e];if(n==null)continue;let r=S(l[e]),i=C(n);t==1?w(E,r,O):w(E,A,i),w(E,r,i),O=i,A=r}let M=A;i&&t==1&&(M=b+x,w(E,M,O));let[N,ee]=Qo(e,a);if(c.fill!=null||N!=0){let t=T.fill=new Path2D(E),n=C(c.fillTo(e,a,c.min,c.max,N));w(t,M,n),w(t,j,n)}if(!c.spanGaps){let i=[];i.push(...rs(l,u,o,s,D,S,r));let f=c.width*Or/2,p=n||t==1?f:-f,m=n||t==-1?-f:f;i.forEach(e=>{e[0]+=p,e[1]+=m}),T.gaps=i=c.gaps(e,a,o,s,i),T.clip=ts(i,d.ori,h,g,_,v)}return ee!=0&&(T.band=ee==2?[es(e,a,o,s,E,-1),es(e,a,o,s,E,1)]:es(e,a,o,s,E,ee)),T})}function Ss(e,t,n,r,i,a,o=Ti){if(e.length>1){let s=null;for(let c=0,l=1/0;c<e.length;c++)if(t[c]!==void 0){if(s!=null){let t=pi(e[c]-e[s]);t<l&&(l=t,o=pi(n(e[c],r,i,a)-n(e[s],r,i,a)))}s=c}}return o}function Cs(e){e||=Gi;let t=oi(e.size,[.6,Ti,1]),n=e.align||0,r=e.gap||0,i=e.radius;i=i==null?[0,0]:typeof i==`number`?[i,0]:i;let a=ki(i),o=1-t[0],s=oi(t[1],Ti),c=oi(t[2],1),l=oi(e.disp,Gi),u=oi(e.each,e=>{}),{fill:d,stroke:f}=l;return(e,t,i,p)=>Zo(e,t,(m,h,g,_,v,y,b,x,S,C,w)=>{let T=m.pxRound,E=n,D=r*Or,O=s*Or,k=c*Or,A,j;_.ori==0?[A,j]=a(e,t):[j,A]=a(e,t);let M=_.dir*(_.ori==0?1:-1),N=_.ori==0?us:ds,ee=_.ori==0?u:(e,t,n,r,i,a,o)=>{u(e,t,n,i,r,o,a)},te=oi(e.bands,Ki).find(e=>e.series[0]==t),P=te==null?0:te.dir,ne=m.fillTo(e,t,m.min,m.max,P),re=T(b(ne,v,w,S)),F,ie,ae,oe=C,I=T(m.width*Or),se=!1,ce=null,le=null,L=null,R=null;d!=null&&(I==0||f!=null)&&(se=!0,ce=d.values(e,t,i,p),le=new Map,new Set(ce).forEach(e=>{e!=null&&le.set(e,new Path2D)}),I>0&&(L=f.values(e,t,i,p),R=new Map,new Set(L).forEach(e=>{e!=null&&R.set(e,new Path2D)})));let{x0:z,size:ue}=l;if(z!=null&&ue!=null){E=1,h=z.values(e,t,i,p),z.unit==2&&(h=h.map(t=>e.posToVal(x+t*C,_.key,!0)));let n=ue.values(e,t,i,p);ie=ue.unit==2?n[0]*C:y(n[0],_,C,x)-y(0,_,C,x),oe=Ss(h,g,y,_,C,x,oe),ae=oe-ie+D}else oe=Ss(h,g,y,_,C,x,oe),ae=oe*o+D,ie=oe-ae;ae<1&&(ae=0),I>=ie/2&&(I=0),ae<5&&(T=ji);let de=ae>0,fe=oe-ae-(de?I:0);ie=T(Di(fe,k,O)),F=(E==0?ie/2:E==M?0:ie)-E*M*((E==0?D/2:0)+(de?I/2:0));let pe={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},me=se?null:new Path2D,he=null;if(te!=null)he=e.data[te.series[1]];else{let{y0:n,y1:r}=l;n!=null&&r!=null&&(g=r.values(e,t,i,p),he=n.values(e,t,i,p))}let ge=A*ie,_e=j*ie;for(let n=M==1?i:p;n>=i&&n<=p;n+=M){let r=g[n];if(r==null)continue;if(he!=null){let e=he[n]??0;if(r-e==0)continue;re=b(e,v,w,S)}let i=y(_.distr!=2||l!=null?h[n]:n,_,C,x),a=b(oi(r,ne),v,w,S),o=T(i-F),s=T(vi(a,re)),c=T(_i(a,re)),u=s-c;if(r!=null){let i=r<0?_e:ge,a=r<0?ge:_e;se?(I>0&&L[n]!=null&&N(R.get(L[n]),o,c+mi(I/2),ie,vi(0,u-I),i,a),ce[n]!=null&&N(le.get(ce[n]),o,c+mi(I/2),ie,vi(0,u-I),i,a)):N(me,o,c+mi(I/2),ie,vi(0,u-I),i,a),ee(e,t,n,o-I/2,c,ie+I,u)}}return I>0?pe.stroke=se?R:me:se||(pe._fill=m.width==0?m._fill:m._stroke??m._fill,pe.width=0),pe.fill=se?le:me,pe})}function ws(e,t){let n=oi(t?.alignGaps,0);return(t,r,i,a)=>Zo(t,r,(o,s,c,l,u,d,f,p,m,h,g)=>{[i,a]=Xr(c,i,a);let _=o.pxRound,v=e=>_(d(e,l,h,p)),y=e=>_(f(e,u,g,m)),b,x,S;l.ori==0?(b=os,S=cs,x=ms):(b=ss,S=ls,x=hs);let C=l.dir*(l.ori==0?1:-1),w=v(s[C==1?i:a]),T=w,E=[],D=[];for(let e=C==1?i:a;e>=i&&e<=a;e+=C)if(c[e]!=null){let t=s[e],n=v(t);E.push(T=n),D.push(y(c[e]))}let O={stroke:e(E,D,b,S,x,_),fill:null,clip:null,band:null,gaps:null,flags:Yo},k=O.stroke,[A,j]=Qo(t,r);if(o.fill!=null||A!=0){let e=O.fill=new Path2D(k),n=y(o.fillTo(t,r,o.min,o.max,A));S(e,T,n),S(e,w,n)}if(!o.spanGaps){let e=[];e.push(...rs(s,c,i,a,C,v,n)),O.gaps=e=o.gaps(t,r,i,a,e),O.clip=ts(e,l.ori,p,m,h,g)}return j!=0&&(O.band=j==2?[es(t,r,i,a,k,-1),es(t,r,i,a,k,1)]:es(t,r,i,a,k,j)),O})}function Ts(e){return ws(Es,e)}function Es(e,t,n,r,i,a){let o=e.length;if(o<2)return null;let s=new Path2D;if(n(s,e[0],t[0]),o==2)r(s,e[1],t[1]);else{let n=Array(o),r=Array(o-1),a=Array(o-1),c=Array(o-1);for(let n=0;n<o-1;n++)a[n]=t[n+1]-t[n],c[n]=e[n+1]-e[n],r[n]=a[n]/c[n];n[0]=r[0];for(let e=1;e<o-1;e++)r[e]===0||r[e-1]===0||r[e-1]>0!=r[e]>0?n[e]=0:(n[e]=3*(c[e-1]+c[e])/((2*c[e]+c[e-1])/r[e-1]+(c[e]+2*c[e-1])/r[e]),isFinite(n[e])||(n[e]=0));n[o-1]=r[o-2];for(let r=0;r<o-1;r++)i(s,e[r]+c[r]/3,t[r]+n[r]*c[r]/3,e[r+1]-c[r]/3,t[r+1]-n[r+1]*c[r]/3,e[r+1],t[r+1])}return s}var Ds=new Set;function Os(){for(let e of Ds)e.syncRect(!0)}wr&&(Wr(yr,Er,Os),Wr(br,Er,Os,!0),Wr(Sr,Er,()=>{Ws.pxRatio=Or}));var ks=bs(),As=gs();function js(e,t,n,r){return(r?[e[0],e[1]].concat(e.slice(2)):[e[0]].concat(e.slice(1))).map((e,r)=>Ns(e,r,t,n))}function Ms(e,t){return e.map((e,n)=>n==0?{}:ra({},t,e))}function Ns(e,t,n,r){return ra({},t==0?n:r,e)}function Ps(e,t,n){return t==null?qi:[t,n]}var Fs=Ps;function Is(e,t,n){return t==null?qi:ai(t,n,ti,!0)}function Ls(e,t,n,r){return t==null?qi:$r(t,n,e.scales[r].log,!1)}var Rs=Ls;function zs(e,t,n,r){return t==null?qi:ei(t,n,e.scales[r].log,!1)}var Bs=zs;function Vs(e,t,n,r,i){let a=vi(Ei(e),Ei(t)),o=t-e,s=Kr(i/r*o,n);do{let e=n[s],t=r*e/o;if(t>=i&&a+(e<5?Hi.get(e):0)<=17)return[e,t]}while(++s<n.length);return[0,0]}function Hs(e){let t,n;return e=e.replace(/(\d+)px/,(e,r)=>(t=hi((n=+r)*Or))+`px`),[e,t,n]}function Us(e){e.show&&[e.font,e.labelFont].forEach(e=>{let t=Vi(e[2]*Or,1);e[0]=e[0].replace(/[0-9.]+px/,t+`px`),e[1]=t})}function Ws(e,t,n){let r={mode:oi(e.mode,1)},i=r.mode;function a(e,t,n,r){let i=t.valToPct(e);return r+n*(t.dir==-1?1-i:i)}function o(e,t,n,r){let i=t.valToPct(e);return r+n*(t.dir==-1?i:1-i)}function s(e,t,n,r){return t.ori==0?a(e,t,n,r):o(e,t,n,r)}r.valToPosH=a,r.valToPosV=o;let c=!1;r.status=0;let l=r.root=Fr(zn);if(e.id!=null&&(l.id=e.id),jr(l,e.class),e.title){let t=Fr(Hn,l);t.textContent=e.title}let u=Pr(`canvas`),d=r.ctx=u.getContext(`2d`),f=Fr(Un,l);Wr(`click`,f,e=>{e.target===m&&($t!=Yt||en!=Xt)&&nn.click(r,e)},!0);let p=r.under=Fr(Wn,f);f.appendChild(u);let m=r.over=Fr(Gn,f);e=na(e);let h=+oi(e.pxAlign,1),g=is(h);(e.plugins||[]).forEach(t=>{t.opts&&(e=t.opts(r,e)||e)});let _=e.ms||.001,v=r.series=i==1?js(e.series||[],wo,Uo,!1):Ms(e.series||[null],Ho),y=r.axes=js(e.axes||[],xo,Lo,!0),b=r.scales={},x=r.bands=e.bands||[];x.forEach(e=>{e.fill=ki(e.fill||null),e.dir=oi(e.dir,-1)});let S=i==2?v[1].facets[0].scale:v[0].scale,C={axes:Nt,series:Ct},w=(e.drawOrder||[`axes`,`series`]).map(e=>C[e]);function T(e){let t=e.distr==3?t=>xi(t>0?t:e.clamp(r,t,e.min,e.max,e.key)):e.distr==4?t=>wi(t,e.asinh):e.distr==100?t=>e.fwd(t):e=>e;return n=>{let r=t(n),{_min:i,_max:a}=e,o=a-i;return(r-i)/o}}function E(t){let n=b[t];if(n==null){let r=(e.scales||Gi)[t]||Gi;if(r.from!=null){E(r.from);let e=ra({},b[r.from],r,{key:t});e.valToPct=T(e),b[t]=e}else{n=b[t]=ra({},t==S?Go:Ko,r),n.key=t;let e=n.time,a=n.range,o=Ji(a);if((t!=S||i==2&&!e)&&(o&&(a[0]==null||a[1]==null)&&(a={min:a[0]==null?ni:{mode:1,hard:a[0],soft:a[0]},max:a[1]==null?ni:{mode:1,hard:a[1],soft:a[1]}},o=!1),!o&&Qi(a))){let e=a;a=(t,n,r)=>n==null?qi:ai(n,r,e)}n.range=ki(a||(e?Fs:t==S?n.distr==3?Rs:n.distr==4?Bs:Ps:n.distr==3?Ls:n.distr==4?zs:Is)),n.auto=ki(!o&&n.auto),n.clamp=ki(n.clamp||Wo),n._min=n._max=null,n.valToPct=T(n)}}}E(`x`),E(`y`),i==1&&v.forEach(e=>{E(e.scale)}),y.forEach(e=>{E(e.scale)});for(let t in e.scales)E(t);let D=b[S],O=D.distr,k,A;D.ori==0?(jr(l,Bn),k=a,A=o):(jr(l,Vn),k=o,A=a);let j={};for(let e in b){let t=b[e];(t.min!=null||t.max!=null)&&(j[e]={min:t.min,max:t.max},t.min=t.max=null)}let M=e.tzDate||(e=>new Date(hi(e/_))),N=e.fmtDate||xa,ee=_==1?Wa(M):qa(M),te=Ya(M,Ja(_==1?Ua:Ka,N)),P=eo(M,Qa($a,N)),ne=[],re=r.legend=ra({},ro,e.legend),F=r.cursor=ra({},po,{drag:{y:i==2}},e.cursor),ie=re.show,ae=F.show,oe=re.markers;re.idxs=ne,oe.width=ki(oe.width),oe.dash=ki(oe.dash),oe.stroke=ki(oe.stroke),oe.fill=ki(oe.fill);let I,se,ce,le=[],L=[],R,z=!1,ue={};if(re.live){let e=v[1]?v[1].values:null;z=e!=null,R=z?e(r,1,0):{_:0};for(let e in R)ue[e]=Cr}if(ie){if(I=Pr(`table`,Qn,l),ce=Pr(`tbody`,null,I),re.mount(r,I),z){se=Pr(`thead`,null,I,ce);let e=Pr(`tr`,null,se);for(var de in Pr(`th`,null,e),R)Pr(`th`,rr,e).textContent=de}else jr(I,er),re.live&&jr(I,$n)}let fe={show:!0},pe={show:!1};function me(e,t){if(t==0&&(z||!re.live||i==2))return qi;let n=[],a=Pr(`tr`,tr,ce,ce.childNodes[t]);jr(a,e.class),e.show||jr(a,qn);let o=Pr(`th`,null,a);if(oe.show){let e=Fr(nr,o);if(t>0){let n=oe.width(r,t);n&&(e.style.border=n+`px `+oe.dash(r,t)+` `+oe.stroke(r,t)),e.style.background=oe.fill(r,t)}}let s=Fr(rr,o);for(var c in e.label instanceof HTMLElement?s.appendChild(e.label):s.textContent=e.label,t>0&&(oe.show||(s.style.color=e.width>0?oe.stroke(r,t):oe.fill(r,t)),ge(`click`,o,t=>{if(F._lock)return;Ie(t);let n=v.indexOf(e);if((t.ctrlKey||t.metaKey)!=re.isolate){let e=v.some((e,t)=>t>0&&t!=n&&e.show);v.forEach((t,r)=>{r>0&&dn(r,e?r==n?fe:pe:fe,!0,Hr.setSeries)})}else dn(n,{show:!e.show},!0,Hr.setSeries)},!1),ze&&ge(gr,o,t=>{F._lock||(Ie(t),dn(v.indexOf(e),yn,!0,Hr.setSeries))},!1)),R){let e=Pr(`td`,ir,a);e.textContent=`--`,n.push(e)}return[a,n]}let he=new Map;function ge(e,t,n,i=!0){let a=he.get(t)||{},o=F.bind[e](r,t,n,i);o&&(Wr(e,t,a[e]=o),he.set(t,a))}function _e(e,t,n){let r=he.get(t)||{};for(let n in r)(e==null||n==e)&&(Gr(n,t,r[n]),delete r[n]);e??he.delete(t)}let ve=0,B=0,V=0,H=0,U=0,W=0,ye=U,G=W,K=V,be=H,xe=0,Se=0,q=0,Ce=0;r.bbox={};let we=!1,Te=!1,Ee=!1,De=!1,Oe=!1,ke=!1;function Ae(e,t,n){(n||e!=r.width||t!=r.height)&&je(e,t),Pt(!1),Ee=!0,Te=!0,zt()}function je(e,t){r.width=ve=V=e,r.height=B=H=t,U=W=0,Pe(),Fe();let n=r.bbox;xe=n.left=Ri(U*Or,.5),Se=n.top=Ri(W*Or,.5),q=n.width=Ri(V*Or,.5),Ce=n.height=Ri(H*Or,.5)}function Me(){let e=!1,t=0;for(;!e;){t++;let n=J(t),i=Mt(t);e=t==3||n&&i,e||(je(r.width,r.height),Te=!0)}}function Ne({width:e,height:t}){Ae(e,t)}r.setSize=Ne;function Pe(){let e=!1,t=!1,n=!1,r=!1;y.forEach((i,a)=>{if(i.show&&i._show){let{side:a,_size:o}=i,s=a%2,c=o+(i.label==null?0:i.labelSize);c>0&&(s?(V-=c,a==3?(U+=c,r=!0):n=!0):(H-=c,a==0?(W+=c,e=!0):t=!0))}}),Je[0]=e,Je[1]=n,Je[2]=t,Je[3]=r,V-=Qe[1]+Qe[3],U+=Qe[3],H-=Qe[2]+Qe[0],W+=Qe[0]}function Fe(){let e=U+V,t=W+H,n=U,r=W;function i(i,a){switch(i){case 1:return e+=a,e-a;case 2:return t+=a,t-a;case 3:return n-=a,n+a;case 0:return r-=a,r+a}}y.forEach((e,t)=>{if(e.show&&e._show){let t=e.side;e._pos=i(t,e._size),e.label!=null&&(e._lpos=i(t,e.labelSize))}})}if(F.dataIdx==null){let e=F.hover,n=e.skip=new Set(e.skip??[]);n.add(void 0);let r=e.prox=ki(e.prox),i=e.bias??=0;F.dataIdx=(e,a,o,s)=>{if(a==0)return o;let c=o,l=r(e,a,o,s)??Ti,u=l>=0&&l<Ti,d=D.ori==0?V:H,f=F.left,p=t[0],m=t[a];if(n.has(m[o])){c=null;let e=null,t=null,r;if(i==0||i==-1)for(r=o;e==null&&r-->0;)n.has(m[r])||(e=r);if(i==0||i==1)for(r=o;t==null&&r++<m.length;)n.has(m[r])||(t=r);if(e!=null||t!=null){if(u){let n=e==null?-1/0:k(p[e],D,d,0),r=t==null?1/0:k(p[t],D,d,0),i=f-n,a=r-f;i<=a?i<=l&&(c=e):a<=l&&(c=t)}else c=t==null?e:e==null?t:o-e<=t-o?e:t}}else u&&pi(f-k(p[o],D,d,0))>l&&(c=null);return c}}let Ie=e=>{F.event=e};F.idxs=ne,F._lock=!1;let Le=F.points;Le.show=ki(Le.show),Le.size=ki(Le.size),Le.stroke=ki(Le.stroke),Le.width=ki(Le.width),Le.fill=ki(Le.fill);let Re=r.focus=ra({},e.focus||{alpha:.3},F.focus),ze=Re.prox>=0,Be=ze&&Le.one,Ve=[],He=[],Ue=[];function We(e,t){let n=Le.show(r,t);if(n instanceof HTMLElement)return jr(n,Zn),jr(n,e.class),Lr(n,-10,-10,V,H),m.insertBefore(n,Ve[t]),n}function Ge(e,t){if(i==1||t>0){let t=i==1&&b[e.scale].time,n=e.value;e.value=t?Zi(n)?eo(M,Qa(n,N)):n||P:n||Io,e.label=e.label||(t?Co:So)}if(Be||t>0){e.width=e.width==null?1:e.width,e.paths=e.paths||ks||Ni,e.fillTo=ki(e.fillTo||$o),e.pxAlign=+oi(e.pxAlign,h),e.pxRound=is(e.pxAlign),e.stroke=ki(e.stroke||null),e.fill=ki(e.fill||null),e._stroke=e._fill=e._paths=e._focus=null;let t=Ro(vi(1,e.width),1),n=e.points=ra({},{size:t,width:vi(1,t*.2),stroke:e.stroke,space:t*2,paths:As,_stroke:null,_fill:null},e.points);n.show=ki(n.show),n.filter=ki(n.filter),n.fill=ki(n.fill),n.stroke=ki(n.stroke),n.paths=ki(n.paths),n.pxAlign=e.pxAlign}if(ie){let n=me(e,t);le.splice(t,0,n[0]),L.splice(t,0,n[1]),re.values.push(null)}if(ae){ne.splice(t,0,null);let n=null;Be?t==0&&(n=We(e,t)):t>0&&(n=We(e,t)),Ve.splice(t,0,n),He.splice(t,0,0),Ue.splice(t,0,0)}Rr(`addSeries`,t)}function Ke(e,t){t??=v.length,e=i==1?Ns(e,t,wo,Uo):Ns(e,t,{},Ho),v.splice(t,0,e),Ge(v[t],t)}r.addSeries=Ke;function qe(e){if(v.splice(e,1),ie){re.values.splice(e,1),L.splice(e,1);let t=le.splice(e,1)[0];_e(null,t.firstChild),t.remove()}ae&&(ne.splice(e,1),Ve.splice(e,1)[0].remove(),He.splice(e,1),Ue.splice(e,1)),Rr(`delSeries`,e)}r.delSeries=qe;let Je=[!1,!1,!1,!1];function Ye(e,t){if(e._show=e.show,e.show){let n=e.side%2,i=b[e.scale];i??=(e.scale=n?v[1].scale:S,b[e.scale]);let a=i.time;e.size=ki(e.size),e.space=ki(e.space),e.rotate=ki(e.rotate),Ji(e.incrs)&&e.incrs.forEach(e=>{!Hi.has(e)&&Hi.set(e,Ui(e))}),e.incrs=ki(e.incrs||(i.distr==2?Oa:a?_==1?Ha:Ga:ka)),e.splits=ki(e.splits||(a&&i.distr==1?ee:i.distr==3?Do:i.distr==4?Oo:Eo)),e.stroke=ki(e.stroke),e.grid.stroke=ki(e.grid.stroke),e.ticks.stroke=ki(e.ticks.stroke),e.border.stroke=ki(e.border.stroke);let o=e.values;e.values=Ji(o)&&!Ji(o[0])?ki(o):a?Ji(o)?Ya(M,Ja(o,N)):Zi(o)?Xa(M,o):o||te:o||To,e.filter=ki(e.filter||(i.distr>=3&&i.log==10?Po:i.distr==3&&i.log==2?Fo:Mi)),e.font=Hs(e.font),e.labelFont=Hs(e.labelFont),e._size=e.size(r,null,t,0),e._space=e._rotate=e._incrs=e._found=e._splits=e._values=null,e._size>0&&(Je[t]=!0,e._el=Fr(Kn,f))}}function Xe(e,t,n,r){let[i,a,o,s]=n,c=t%2,l=0;return c==0&&(s||a)&&(l=t==0&&!i||t==2&&!o?hi(xo.size/3):0),c==1&&(i||o)&&(l=t==1&&!a||t==3&&!s?hi(Lo.size/2):0),l}let Ze=r.padding=(e.padding||[Xe,Xe,Xe,Xe]).map(e=>ki(oi(e,Xe))),Qe=r._padding=Ze.map((e,t)=>e(r,t,Je,0)),$e,et=null,tt=null,nt=i==1?v[0].idxs:null,rt=null,it=!1;function at(e,n){if(t=e??[],r.data=r._data=t,i==2){$e=0;for(let e=1;e<v.length;e++)$e+=t[e][0].length}else{t.length==0&&(r.data=r._data=t=[[]]),rt=t[0],$e=rt.length;let e=t;if(O==2){e=t.slice();let n=e[0]=Array($e);for(let e=0;e<$e;e++)n[e]=e}r._data=t=e}if(Pt(!0),Rr(`setData`),O==2&&(Ee=!0),n!==!1){let e=D;e.auto(r,it)?ot():un(S,e.min,e.max),De||=F.left>=0,ke=!0,zt()}}r.setData=at;function ot(){it=!0;let e,n;i==1&&($e>0?(et=nt[0]=0,tt=nt[1]=$e-1,e=t[0][et],n=t[0][tt],O==2?(e=et,n=tt):e==n&&(O==3?[e,n]=$r(e,e,D.log,!1):O==4?[e,n]=ei(e,e,D.log,!1):D.time?n=e+hi(86400/_):[e,n]=ai(e,n,ti,!0))):(et=nt[0]=e=null,tt=nt[1]=n=null)),un(S,e,n)}let st,ct,lt,ut,dt,ft,pt,mt,ht,gt;function _t(e,t,n,r,i,a){e??=fr,n??=Ki,r??=`butt`,i??=fr,a??=`round`,e!=st&&(d.strokeStyle=st=e),i!=ct&&(d.fillStyle=ct=i),t!=lt&&(d.lineWidth=lt=t),a!=dt&&(d.lineJoin=dt=a),r!=ft&&(d.lineCap=ft=r),n!=ut&&d.setLineDash(ut=n)}function vt(e,t,n,r){t!=ct&&(d.fillStyle=ct=t),e!=pt&&(d.font=pt=e),n!=mt&&(d.textAlign=mt=n),r!=ht&&(d.textBaseline=ht=r)}function yt(e,t,n,i,a=0){if(i.length>0&&e.auto(r,it)&&(t==null||t.min==null)){let t=oi(et,0),r=oi(tt,i.length-1),o=n.min==null?Qr(i,t,r,a,e.distr==3):[n.min,n.max];e.min=_i(e.min,n.min=o[0]),e.max=vi(e.max,n.max=o[1])}}let bt={min:null,max:null};function xt(){for(let e in b){let t=b[e];j[e]==null&&(t.min==null||j[S]!=null&&t.auto(r,it))&&(j[e]=bt)}for(let e in b){let t=b[e];j[e]==null&&t.from!=null&&j[t.from]!=null&&(j[e]=bt)}j[S]!=null&&Pt(!0);let e={};for(let t in j){let n=j[t];if(n!=null){let a=e[t]=na(b[t],$i);if(n.min!=null)ra(a,n);else if(t!=S||i==2){if($e==0&&a.from==null){let e=a.range(r,null,null,t);a.min=e[0],a.max=e[1]}else a.min=Ti,a.max=-1/0}}}if($e>0){v.forEach((n,a)=>{if(i==1){let i=n.scale,o=j[i];if(o==null)return;let s=e[i];if(a==0){let e=s.range(r,s.min,s.max,i);s.min=e[0],s.max=e[1],et=Kr(s.min,t[0]),tt=Kr(s.max,t[0]),tt-et>1&&(t[0][et]<s.min&&et++,t[0][tt]>s.max&&tt--),n.min=rt[et],n.max=rt[tt]}else n.show&&n.auto&&yt(s,o,n,t[a],n.sorted);n.idxs[0]=et,n.idxs[1]=tt}else if(a>0&&n.show&&n.auto){let[r,i]=n.facets,o=r.scale,s=i.scale,[c,l]=t[a],u=e[o],d=e[s];u!=null&&yt(u,j[o],r,c,r.sorted),d!=null&&yt(d,j[s],i,l,i.sorted),n.min=i.min,n.max=i.max}});for(let t in e){let n=e[t],i=j[t];if(n.from==null&&(i==null||i.min==null)){let e=n.range(r,n.min==Ti?null:n.min,n.max==-1/0?null:n.max,t);n.min=e[0],n.max=e[1]}}}for(let t in e){let n=e[t];if(n.from!=null){let i=e[n.from];if(i.min==null)n.min=n.max=null;else{let e=n.range(r,i.min,i.max,t);n.min=e[0],n.max=e[1]}}}let n={},a=!1;for(let t in e){let r=e[t],i=b[t];if(i.min!=r.min||i.max!=r.max){i.min=r.min,i.max=r.max;let e=i.distr;i._min=e==3?xi(i.min):e==4?wi(i.min,i.asinh):e==100?i.fwd(i.min):i.min,i._max=e==3?xi(i.max):e==4?wi(i.max,i.asinh):e==100?i.fwd(i.max):i.max,n[t]=a=!0}}if(a){v.forEach((e,t)=>{i==2?t>0&&n.y&&(e._paths=null):n[e.scale]&&(e._paths=null)});for(let e in n)Ee=!0,Rr(`setScale`,e);ae&&F.left>=0&&(De=ke=!0)}for(let e in j)j[e]=null}function St(e){let t=Di(et-1,0,$e-1),n=Di(tt+1,0,$e-1);for(;e[t]==null&&t>0;)t--;for(;e[n]==null&&n<$e-1;)n++;return[t,n]}function Ct(){if($e>0){let e=v.some(e=>e._focus)&&gt!=Re.alpha;e&&(d.globalAlpha=gt=Re.alpha),v.forEach((e,n)=>{if(n>0&&e.show&&(wt(n,!1),wt(n,!0),e._paths==null)){let a=gt;gt!=e.alpha&&(d.globalAlpha=gt=e.alpha);let o=i==2?[0,t[n][0].length-1]:St(t[n]);e._paths=e.paths(r,n,o[0],o[1]),gt!=a&&(d.globalAlpha=gt=a)}}),v.forEach((e,t)=>{if(t>0&&e.show){let n=gt;gt!=e.alpha&&(d.globalAlpha=gt=e.alpha),e._paths!=null&&Tt(t,!1);{let n=e._paths==null?null:e._paths.gaps,i=e.points.show(r,t,et,tt,n),a=e.points.filter(r,t,i,n);(i||a)&&(e.points._paths=e.points.paths(r,t,et,tt,a),Tt(t,!0))}gt!=n&&(d.globalAlpha=gt=n),Rr(`drawSeries`,t)}}),e&&(d.globalAlpha=gt=1)}}function wt(e,t){let n=t?v[e].points:v[e];n._stroke=n.stroke(r,e),n._fill=n.fill(r,e)}function Tt(e,t){let n=t?v[e].points:v[e],{stroke:r,fill:i,clip:a,flags:o,_stroke:s=n._stroke,_fill:c=n._fill,_width:l=n.width}=n._paths;l=Vi(l*Or,3);let u=null,f=l%2/2;t&&c==null&&(c=l>0?`#fff`:s);let p=n.pxAlign==1&&f>0;if(p&&d.translate(f,f),!t){let e=xe-l/2,t=Se-l/2,n=q+l,r=Ce+l;u=new Path2D,u.rect(e,t,n,r)}t?Dt(s,l,n.dash,n.cap,c,r,i,o,a):Et(e,s,l,n.dash,n.cap,c,r,i,o,u,a),p&&d.translate(-f,-f)}function Et(e,n,i,a,o,s,c,l,u,d,f){let p=!1;u!=0&&x.forEach((m,h)=>{if(m.series[0]==e){let e=v[m.series[1]],g=t[m.series[1]],_=(e._paths||Gi).band;Ji(_)&&(_=m.dir==1?_[0]:_[1]);let y,b=null;e.show&&_&&si(g,et,tt)?(b=m.fill(r,h)||s,y=e._paths.clip):_=null,Dt(n,i,a,o,b,c,l,u,d,f,y,_),p=!0}}),p||Dt(n,i,a,o,s,c,l,u,d,f)}function Dt(e,t,n,r,i,a,o,s,c,l,u,f){_t(e,t,n,r,i),(c||l||f)&&(d.save(),c&&d.clip(c),l&&d.clip(l)),f?(s&3)==3?(d.clip(f),u&&d.clip(u),kt(i,o),Ot(e,a,t)):s&Xo?(kt(i,o),d.clip(f),Ot(e,a,t)):s&Yo&&(d.save(),d.clip(f),u&&d.clip(u),kt(i,o),d.restore(),Ot(e,a,t)):(kt(i,o),Ot(e,a,t)),(c||l||f)&&d.restore()}function Ot(e,t,n){n>0&&(t instanceof Map?t.forEach((e,t)=>{d.strokeStyle=st=t,d.stroke(e)}):t!=null&&e&&d.stroke(t))}function kt(e,t){t instanceof Map?t.forEach((e,t)=>{d.fillStyle=ct=t,d.fill(e)}):t!=null&&e&&d.fill(t)}function At(e,t,n,i){let a=y[e],o;if(i<=0)o=[0,0];else{let s=a._space=a.space(r,e,t,n,i);o=Vs(t,n,a._incrs=a.incrs(r,e,t,n,i,s),i,s)}return a._found=o}function jt(e,t,n,r,i,a,o,s,c,l){let u=o%2/2;h==1&&d.translate(u,u),_t(s,o,c,l,s),d.beginPath();let f,p,m,g,_=i+(r==0||r==3?-a:a);n==0?(p=i,g=_):(f=i,m=_);for(let r=0;r<e.length;r++)t[r]!=null&&(n==0?f=m=e[r]:p=g=e[r],d.moveTo(f,p),d.lineTo(m,g));d.stroke(),h==1&&d.translate(-u,-u)}function J(e){let t=!0;return y.forEach((n,i)=>{if(!n.show)return;let a=b[n.scale];if(a.min==null){n._show&&(t=!1,n._show=!1,Pt(!1));return}n._show||(t=!1,n._show=!0,Pt(!1));let o=n.side,s=o%2,{min:c,max:l}=a,[u,d]=At(i,c,l,s==0?V:H);if(d==0)return;let f=a.distr==2,p=n._splits=n.splits(r,i,c,l,u,d,f),m=a.distr==2?p.map(e=>rt[e]):p,h=a.distr==2?rt[p[1]]-rt[p[0]]:u,g=n._values=n.values(r,n.filter(r,m,i,d,h),i,d,h);n._rotate=o==2?n.rotate(r,g,i,d):0;let _=n._size;n._size=gi(n.size(r,g,i,e)),_!=null&&n._size!=_&&(t=!1)}),t}function Mt(e){let t=!0;return Ze.forEach((n,i)=>{let a=n(r,i,Je,e);a!=Qe[i]&&(t=!1),Qe[i]=a}),t}function Nt(){for(let e=0;e<y.length;e++){let t=y[e];if(!t.show||!t._show)continue;let n=t.side,i=n%2,a,o,c=t.stroke(r,e),l=n==0||n==3?-1:1,[u,f]=t._found;if(t.label!=null){let s=t.labelGap*l,p=hi((t._lpos+s)*Or);vt(t.labelFont[0],c,`center`,n==2?sr:cr),d.save(),i==1?(a=o=0,d.translate(p,hi(Se+Ce/2)),d.rotate((n==3?-fi:fi)/2)):(a=hi(xe+q/2),o=p);let m=Oi(t.label)?t.label(r,e,u,f):t.label;d.fillText(m,a,o),d.restore()}if(f==0)continue;let p=b[t.scale],m=i==0?q:Ce,h=i==0?xe:Se,_=t._splits,v=p.distr==2?_.map(e=>rt[e]):_,x=p.distr==2?rt[_[1]]-rt[_[0]]:u,S=t.ticks,C=t.border,w=S.show?S.size:0,T=hi(w*Or),E=hi((t.alignTo==2?t._size-w-t.gap:t.gap)*Or),D=t._rotate*-fi/180,O=g(t._pos*Or),k=O+(T+E)*l;o=i==0?k:0,a=i==1?k:0;let A=t.font[0];vt(A,c,t.align==1?lr:t.align==2?ur:D>0?lr:D<0?ur:i==0?`center`:n==3?ur:lr,D||i==1?`middle`:n==2?sr:cr);let j=t.font[1]*t.lineGap,M=_.map(e=>g(s(e,p,m,h))),N=t._values;for(let e=0;e<N.length;e++){let t=N[e];if(t!=null){i==0?a=M[e]:o=M[e],t=``+t;let n=t.indexOf(`
`)==-1?[t]:t.split(/\n/gm);for(let e=0;e<n.length;e++){let t=n[e];D?(d.save(),d.translate(a,o+e*j),d.rotate(D),d.fillText(t,0,0),d.restore()):d.fillText(t,a,o+e*j)}}}S.show&&jt(M,S.filter(r,v,e,f,x),i,n,O,T,Vi(S.width*Or,3),S.stroke(r,e),S.dash,S.cap);let ee=t.grid;ee.show&&jt(M,ee.filter(r,v,e,f,x),i,i==0?2:1,i==0?Se:xe,i==0?Ce:q,Vi(ee.width*Or,3),ee.stroke(r,e),ee.dash,ee.cap),C.show&&jt([O],[1],+(i==0),i==0?1:2,i==1?Se:xe,i==1?Ce:q,Vi(C.width*Or,3),C.stroke(r,e),C.dash,C.cap)}Rr(`drawAxes`)}function Pt(e){v.forEach((t,n)=>{n>0&&(t._paths=null,e&&(i==1?(t.min=null,t.max=null):t.facets.forEach(e=>{e.min=null,e.max=null})))})}let Ft=!1,It=!1,Lt=[];function Rt(){It=!1;for(let e=0;e<Lt.length;e++)Rr(...Lt[e]);Lt.length=0}function zt(){Ft||=(la(Vt),!0)}function Bt(e,t=!1){Ft=!0,It=t,e(r),Vt(),t&&Lt.length>0&&queueMicrotask(Rt)}r.batch=Bt;function Vt(){if(we&&=(xt(),!1),Ee&&=(Me(),!1),Te){if(Nr(p,lr,U),Nr(p,sr,W),Nr(p,ar,V),Nr(p,or,H),Nr(m,lr,U),Nr(m,sr,W),Nr(m,ar,V),Nr(m,or,H),Nr(f,ar,ve),Nr(f,or,B),u.width=hi(ve*Or),u.height=hi(B*Or),y.forEach(({_el:e,_show:t,_size:n,_pos:r,side:i})=>{if(e!=null){if(t){let t=i===3||i===0?n:0,a=i%2==1;Nr(e,a?`left`:`top`,r-t),Nr(e,a?`width`:`height`,n),Nr(e,a?`top`:`left`,a?W:U),Nr(e,a?`height`:`width`,a?H:V),Mr(e,qn)}else jr(e,qn)}}),st=ct=lt=dt=ft=pt=mt=ht=ut=null,gt=1,Mn(!0),U!=ye||W!=G||V!=K||H!=be){Pt(!1);let e=V/K,t=H/be;if(ae&&!De&&F.left>=0){F.left*=e,F.top*=t,Gt&&Lr(Gt,hi(F.left),0,V,H),Kt&&Lr(Kt,0,hi(F.top),V,H);for(let n=0;n<Ve.length;n++){let r=Ve[n];r!=null&&(He[n]*=e,Ue[n]*=t,Lr(r,gi(He[n]),gi(Ue[n]),V,H))}}if(on.show&&!Oe&&on.left>=0&&on.width>0){on.left*=e,on.width*=e,on.top*=t,on.height*=t;for(let e in Fn)Nr(sn,e,on[e])}ye=U,G=W,K=V,be=H}Rr(`setSize`),Te=!1}ve>0&&B>0&&(d.clearRect(0,0,u.width,u.height),Rr(`drawClear`),w.forEach(e=>e()),Rr(`draw`)),on.show&&Oe&&(cn(on),Oe=!1),ae&&De&&(An(null,!0,!1),De=!1),re.show&&re.live&&ke&&(On(),ke=!1),c||(c=!0,r.status=1,Rr(`ready`)),it=!1,Ft=!1}r.redraw=(e,t)=>{Ee=t||!1,e===!1?zt():un(S,D.min,D.max)};function Ht(e,n){let i=b[e];if(i.from==null){if($e==0){let t=i.range(r,n.min,n.max,e);n.min=t[0],n.max=t[1]}if(n.min>n.max){let e=n.min;n.min=n.max,n.max=e}if($e>1&&n.min!=null&&n.max!=null&&n.max-n.min<1e-16)return;e==S&&i.distr==2&&$e>0&&(n.min=Kr(n.min,t[0]),n.max=Kr(n.max,t[0]),n.min==n.max&&n.max++),j[e]=n,we=!0,zt()}}r.setScale=Ht;let Ut,Wt,Gt,Kt,qt,Jt,Yt,Xt,Zt,Qt,$t,en,tn=!1,nn=F.drag,rn=nn.x,an=nn.y;ae&&(F.x&&(Ut=Fr(Yn,m)),F.y&&(Wt=Fr(Xn,m)),D.ori==0?(Gt=Ut,Kt=Wt):(Gt=Wt,Kt=Ut),$t=F.left,en=F.top);let on=r.select=ra({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),sn=on.show?Fr(Jn,on.over?m:p):null;function cn(e,t){if(on.show){for(let t in e)on[t]=e[t],t in Fn&&Nr(sn,t,e[t]);t!==!1&&Rr(`setSelect`)}}r.setSelect=cn;function ln(e){if(v[e].show)ie&&Mr(le[e],qn);else if(ie&&jr(le[e],qn),ae){let t=Be?Ve[0]:Ve[e];t!=null&&Lr(t,-10,-10,V,H)}}function un(e,t,n){Ht(e,{min:t,max:n})}function dn(e,t,n,a){t.focus!=null&&bn(e),t.show!=null&&v.forEach((n,r)=>{r>0&&(e==r||e==null)&&(n.show=t.show,ln(r),i==2?(un(n.facets[0].scale,null,null),un(n.facets[1].scale,null,null)):un(n.scale,null,null),zt())}),n!==!1&&Rr(`setSeries`,e,t),a&&Jr(`setSeries`,r,e,t)}r.setSeries=dn;function fn(e,t){ra(x[e],t)}function pn(e,t){e.fill=ki(e.fill||null),e.dir=oi(e.dir,-1),t??=x.length,x.splice(t,0,e)}function mn(e){e==null?x.length=0:x.splice(e,1)}r.addBand=pn,r.setBand=fn,r.delBand=mn;function hn(e,t){v[e].alpha=t,ae&&Ve[e]!=null&&(Ve[e].style.opacity=t),ie&&le[e]&&(le[e].style.opacity=t)}let gn,_n,vn,yn={focus:!0};function bn(e){if(e!=vn){let t=e==null,n=Re.alpha!=1;v.forEach((r,a)=>{if(i==1||a>0){let i=t||a==0||a==e;r._focus=t?null:i,n&&hn(a,i?1:Re.alpha)}}),vn=e,n&&zt()}}ie&&ze&&ge(_r,I,e=>{F._lock||(Ie(e),vn!=null&&dn(null,yn,!0,Hr.setSeries))});function xn(e,t,n){let r=b[t];n&&(e=e/Or-(r.ori==1?W:U));let i=V;r.ori==1&&(i=H,e=i-e),r.dir==-1&&(e=i-e);let a=r._min,o=r._max,s=e/i,c=a+(o-a)*s,l=r.distr;return l==3?yi(10,c):l==4?Ci(c,r.asinh):l==100?r.bwd(c):c}function Sn(e,n){return Kr(xn(e,S,n),t[0],et,tt)}r.valToIdx=e=>Kr(e,t[0]),r.posToIdx=Sn,r.posToVal=xn,r.valToPos=(e,t,n)=>b[t].ori==0?a(e,b[t],n?q:V,n?xe:0):o(e,b[t],n?Ce:H,n?Se:0),r.setCursor=(e,t,n)=>{$t=e.left,en=e.top,An(null,t,n)};function Cn(e,t){Nr(sn,lr,on.left=e),Nr(sn,ar,on.width=t)}function wn(e,t){Nr(sn,sr,on.top=e),Nr(sn,or,on.height=t)}let Tn=D.ori==0?Cn:wn,En=D.ori==1?Cn:wn;function Dn(){if(ie&&re.live)for(let e=+(i==2);e<v.length;e++){if(e==0&&z)continue;let t=re.values[e],n=0;for(let r in t)L[e][n++].firstChild.nodeValue=t[r]}}function On(e,t){if(e!=null&&(e.idxs?e.idxs.forEach((e,t)=>{ne[t]=e}):Xi(e.idx)||ne.fill(e.idx),re.idx=ne[0]),ie&&re.live){for(let e=0;e<v.length;e++)(e>0||i==1&&!z)&&kn(e,ne[e]);Dn()}ke=!1,t!==!1&&Rr(`setLegend`)}r.setLegend=On;function kn(e,n){let i=v[e],a=e==0&&O==2?rt:t[e],o;z?o=i.values(r,e,n)??ue:(o=i.value(r,n==null?null:a[n],e,n),o=o==null?ue:{_:o}),re.values[e]=o}function An(e,n,a){Zt=$t,Qt=en,[$t,en]=F.move(r,$t,en),F.left=$t,F.top=en,ae&&(Gt&&Lr(Gt,hi($t),0,V,H),Kt&&Lr(Kt,0,hi(en),V,H));let o,s=et>tt;gn=Ti,_n=null;let c=D.ori==0?V:H,l=D.ori==1?V:H;if($t<0||$e==0||s){o=F.idx=null;for(let e=0;e<v.length;e++){let t=Ve[e];t!=null&&Lr(t,-10,-10,V,H)}ze&&dn(null,yn,!0,e==null&&Hr.setSeries),re.live&&(ne.fill(o),ke=!0)}else{let e,n,a;i==1&&(e=D.ori==0?$t:en,n=xn(e,S),o=F.idx=Kr(n,t[0],et,tt),a=k(t[0][o],D,c,0));let s=-10,u=-10,d=0,f=0,p=!0,m=``,h=``;for(let e=+(i==2);e<v.length;e++){let g=v[e],_=ne[e],y=_==null?null:i==1?t[e][_]:t[e][1][_],x=F.dataIdx(r,e,o,n),S=x==null?null:i==1?t[e][x]:t[e][1][x];if(ke=ke||S!=y||x!=_,ne[e]=x,e>0&&g.show){let n=x==null?-10:x==o?a:k(i==1?t[0][x]:t[e][0][x],D,c,0),_=S==null?-10:A(S,i==1?b[g.scale]:b[g.facets[1].scale],l,0);if(ze&&S!=null){let t=D.ori==1?$t:en,n=pi(Re.dist(r,e,x,_,t));if(n<gn){let r=Re.bias;if(r!=0){let i=xn(t,g.scale),a=S>=0?1:-1,o=i>=0?1:-1;o==a&&(o==1?r==1?S>=i:S<=i:r==1?S<=i:S>=i)&&(gn=n,_n=e)}else gn=n,_n=e}}if(ke||Be){let t,i;D.ori==0?(t=n,i=_):(t=_,i=n);let a,o,c,l,g,v,y=!0,b=Le.bbox;if(b!=null){y=!1;let t=b(r,e);c=t.left,l=t.top,a=t.width,o=t.height}else c=t,l=i,a=o=Le.size(r,e);if(v=Le.fill(r,e),g=Le.stroke(r,e),Be)e==_n&&gn<=Re.prox&&(s=c,u=l,d=a,f=o,p=y,m=v,h=g);else{let t=Ve[e];t!=null&&(He[e]=c,Ue[e]=l,Vr(t,a,o,y),zr(t,v,g),Lr(t,gi(c),gi(l),V,H))}}}}if(Be){let e=Re.prox;if(ke||(vn==null?gn<=e:gn>e||_n!=vn)){let e=Ve[0];e!=null&&(He[0]=s,Ue[0]=u,Vr(e,d,f,p),zr(e,m,h),Lr(e,gi(s),gi(u),V,H))}}}if(on.show&&tn){if(e!=null){let[t,n]=Hr.scales,[r,i]=Hr.match,[a,o]=e.cursor.sync.scales,s=e.cursor.drag;if(rn=s._x,an=s._y,rn||an){let{left:s,top:u,width:d,height:f}=e.select,p=e.scales[a].ori,m=e.posToVal,h,g,_,v,y,x=t!=null&&r(t,a),S=n!=null&&i(n,o);x&&rn?(p==0?(h=s,g=d):(h=u,g=f),_=b[t],v=k(m(h,a),_,c,0),y=k(m(h+g,a),_,c,0),Tn(_i(v,y),pi(y-v))):Tn(0,c),S&&an?(p==1?(h=s,g=d):(h=u,g=f),_=b[n],v=A(m(h,o),_,l,0),y=A(m(h+g,o),_,l,0),En(_i(v,y),pi(y-v))):En(0,l)}else In()}else{let e=pi(Zt-qt),t=pi(Qt-Jt);if(D.ori==1){let n=e;e=t,t=n}rn=nn.x&&e>=nn.dist,an=nn.y&&t>=nn.dist;let n=nn.uni;n==null?nn.x&&nn.y&&(rn||an)&&(rn=an=!0):rn&&an&&(rn=e>=n,an=t>=n,!rn&&!an&&(t>e?an=!0:rn=!0));let r,i;rn&&(D.ori==0?(r=Yt,i=$t):(r=Xt,i=en),Tn(_i(r,i),pi(i-r)),an||En(0,l)),an&&(D.ori==1?(r=Yt,i=$t):(r=Xt,i=en),En(_i(r,i),pi(i-r)),rn||Tn(0,c)),!rn&&!an&&(Tn(0,0),En(0,0))}}if(nn._x=rn,nn._y=an,e==null){if(a){if(Ur!=null){let[e,t]=Hr.scales;Hr.values[0]=e==null?null:xn(D.ori==0?$t:en,e),Hr.values[1]=t==null?null:xn(D.ori==1?$t:en,t)}Jr(pr,r,$t,en,V,H,o)}if(ze){let e=a&&Hr.setSeries,t=Re.prox;vn==null?gn<=t&&dn(_n,yn,!0,e):gn>t?dn(null,yn,!0,e):_n!=vn&&dn(_n,yn,!0,e)}}ke&&(re.idx=o,On()),n!==!1&&Rr(`setCursor`)}let jn=null;Object.defineProperty(r,"rect",{get(){return jn??Mn(!1),jn}});function Mn(e=!1){e?jn=null:(jn=m.getBoundingClientRect(),Rr(`syncRect`,jn))}function Nn(e,t,n,r,i,a,o){F._lock||tn&&e!=null&&e.movementX==0&&e.movementY==0||(Pn(e,t,n,r,i,a,o,!1,e!=null),e==null?An(t,!0,!1):An(null,!0,!0))}function Pn(e,t,n,i,a,o,c,l,u){if(jn??Mn(!1),Ie(e),e!=null)n=e.clientX-jn.left,i=e.clientY-jn.top;else{if(n<0||i<0){$t=-10,en=-10;return}let[e,r]=Hr.scales,c=t.cursor.sync,[l,u]=c.values,[d,f]=c.scales,[p,m]=Hr.match,h=t.axes[0].side%2==1,g=D.ori==0?V:H,_=D.ori==1?V:H,v=h?o:a,y=h?a:o,x=h?i:n,S=h?n:i;if(n=d==null?x/v*g:p(e,d)?s(l,b[e],g,0):-10,i=f==null?S/y*_:m(r,f)?s(u,b[r],_,0):-10,D.ori==1){let e=n;n=i,i=e}}u&&(t==null||t.cursor.event.type==pr)&&((n<=1||n>=V-1)&&(n=Ri(n,V)),(i<=1||i>=H-1)&&(i=Ri(i,H))),l?(qt=n,Jt=i,[Yt,Xt]=F.move(r,n,i)):($t=n,en=i)}let Fn={width:0,height:0,left:0,top:0};function In(){cn(Fn,!1)}let Ln,Rn,dr,yr;function br(e,t,n,i,a,o,s){tn=!0,rn=an=nn._x=nn._y=!1,Pn(e,t,n,i,a,o,s,!0,!1),e!=null&&(ge(hr,Tr,xr,!1),Jr(mr,r,Yt,Xt,V,H,null));let{left:c,top:l,width:u,height:d}=on;Ln=c,Rn=l,dr=u,yr=d}function xr(e,t,n,i,a,o,s){tn=nn._x=nn._y=!1,Pn(e,t,n,i,a,o,s,!1,!0);let{left:c,top:l,width:u,height:d}=on,f=u>0||d>0,p=Ln!=c||Rn!=l||dr!=u||yr!=d;if(f&&p&&cn(on),nn.setScale&&f&&p){let e=c,t=u,n=l,r=d;if(D.ori==1&&(e=l,t=d,n=c,r=u),rn&&un(S,xn(e,S),xn(e+t,S)),an)for(let e in b){let t=b[e];e!=S&&t.from==null&&t.min!=Ti&&un(e,xn(n+r,e),xn(n,e))}In()}else F.lock&&(F._lock=!F._lock,An(t,!0,e!=null));e!=null&&(_e(hr,Tr),Jr(hr,r,$t,en,V,H,null))}function wr(e,t,n,r,i,a,o){if(F._lock)return;Ie(e);let s=tn;if(tn){let e=!0,t=!0,n,r;D.ori==0?(n=rn,r=an):(n=an,r=rn),n&&r&&(e=$t<=10||$t>=V-10,t=en<=10||en>=H-10),n&&e&&($t=$t<Yt?0:V),r&&t&&(en=en<Xt?0:H),An(null,!0,!0),tn=!1}$t=-10,en=-10,ne.fill(null),An(null,!0,!0),s&&(tn=s)}function Dr(e,t,n,i,a,o,s){F._lock||(Ie(e),ot(),In(),e!=null&&Jr(vr,r,$t,en,V,H,null))}function kr(){y.forEach(Us),Ae(r.width,r.height,!0)}Wr(Sr,Er,kr);let Ar={};Ar.mousedown=br,Ar.mousemove=Nn,Ar.mouseup=xr,Ar.dblclick=Dr,Ar.setSeries=(e,t,n,i)=>{let a=Hr.match[2];n=a(r,t,n),n!=-1&&dn(n,i,!0,!1)},ae&&(ge(mr,m,br),ge(pr,m,Nn),ge(gr,m,e=>{Ie(e),Mn(!1)}),ge(_r,m,wr),ge(vr,m,Dr),Ds.add(r),r.syncRect=Mn);let Ir=r.hooks=e.hooks||{};function Rr(e,t,n){It?Lt.push([e,t,n]):e in Ir&&Ir[e].forEach(e=>{e.call(null,r,t,n)})}(e.plugins||[]).forEach(e=>{for(let t in e.hooks)Ir[t]=(Ir[t]||[]).concat(e.hooks[t])});let Br=(e,t,n)=>n,Hr=ra({key:null,setSeries:!1,filters:{pub:Pi,sub:Pi},scales:[S,v[1]?v[1].scale:null],match:[Fi,Fi,Br],values:[null,null]},F.sync);Hr.match.length==2&&Hr.match.push(Br),F.sync=Hr;let Ur=Hr.key,qr=Jo(Ur);function Jr(e,t,n,r,i,a,o){Hr.filters.pub(e,t,n,r,i,a,o)&&qr.pub(e,t,n,r,i,a,o)}qr.sub(r);function Yr(e,t,n,r,i,a,o){Hr.filters.sub(e,t,n,r,i,a,o)&&Ar[e](null,t,n,r,i,a,o)}r.pub=Yr;function Xr(){qr.unsub(r),Ds.delete(r),he.clear(),Gr(Sr,Er,kr),l.remove(),I?.remove(),Rr(`destroy`)}r.destroy=Xr;function Zr(){Rr(`init`,e,t),at(t||e.data,!1),j[S]?Ht(S,j[S]):ot(),Oe=on.show&&(on.width>0||on.height>0),De=ke=!0,Ae(e.width,e.height)}return v.forEach(Ge),y.forEach(Ye),n?n instanceof HTMLElement?(n.appendChild(l),Zr()):n(r,Zr):Zr(),r}Ws.assign=ra,Ws.fmtNum=ui,Ws.rangeNum=ai,Ws.rangeLog=$r,Ws.rangeAsinh=ei,Ws.orient=Zo,Ws.pxRatio=Or,Ws.join=ca,Ws.fmtDate=xa,Ws.tzDate=Ca,Ws.sync=Jo;{Ws.addGap=ns,Ws.clipGaps=ts;let e=Ws.paths={points:gs};e.linear=bs,e.stepped=xs,e.bars=Cs,e.spline=Ts}var Gs=`11px Inter, system-ui, sans-serif`,Ks=700;function qs(e,t,n,r){let{series:i}=e,a=[];for(let e of t){let t=i.topic.after(e)-1;a.push(t>=0&&e>=n&&e<=r?i.values[t]??null:null)}return a}function Js(e,t,n){let r=[];for(let{series:i}of e){let e=i.topic.after(t-1e-9),a=i.topic.after(n);a-e>r.length&&(r=i.times.slice(e,a))}if(r.length<=Ks)return r;let i=r.length/Ks;return Array.from({length:Ks},(e,t)=>r[Math.floor(t*i)]).concat(r[r.length-1])}function Ys(e,t,n,r,i=J.text,a=J.bg1){e.lineJoin=`round`,e.lineWidth=4*(e.getTransform().a>1.5&&e.font.startsWith(`22`)?2:1),e.strokeStyle=a,e.strokeText(t,n,r),e.fillStyle=i,e.fillText(t,n,r)}function Xs(e){let t=Number(e.toPrecision(4)),n=Math.abs(t);return(n!==0&&(n<.001||n>=1e6)?t.toExponential():String(t)).replace(/-/g,`−`)}function Zs(e,t,n,r,i=1){e.fillStyle=J.text,e.fillRect(n-7*i,r-7*i,14*i,14*i),e.fillStyle=J.bg1,e.textAlign=`center`,e.font=`600 ${11*i}px Inter, system-ui, sans-serif`,e.fillText(t,n,r+4*i),e.font=Gs.replace(`11px`,`${11*i}px`)}var Qs=class{options;plot;key=``;curves=[];shown=0;element=document.createElement(`div`);constructor(e){this.options=e,this.element.className=`chart`,Pt(()=>{this.key=``}),this.element.addEventListener(`dblclick`,()=>{this.key=``})}draw(e,t,n,r){let i=this.element.clientWidth,a=`${i} ${e.map(e=>e.label+e.series.path).join()}`;if(i===0)return;this.curves=e,this.shown=r,a!==this.key&&(this.key=a,this.make(i));let o=Js(e,t,n),s=this.options.log?this.floor():-1/0,c=e.map(e=>qs(e,o,t,n).map(e=>e===null?null:Math.max(e,s)));this.plot.batch(()=>{this.plot.setData([o,...c],!1),this.plot.setScale(`x`,{min:t,max:Math.max(n,t+.001)}),this.plot.setScale(`y`,this.range(c))})}floor(){return .3}range(e){let t=1/0,n=-1/0;for(let r of e)for(let e of r)e!==null&&(t=Math.min(t,e),n=Math.max(n,e));if(t>n)return this.options.log?{min:1,max:10}:{min:0,max:1};if(this.options.log)return{min:Math.max(this.floor(),Math.min(t*.9,1)),max:Math.max(n*1.5,10)};let r=Math.max(Math.abs(t),Math.abs(n)),i=Math.max((n-t)*.08,r*.02)||.1;return{min:t-i,max:n+i}}make(e){this.plot?.destroy();let{height:t,log:n}=this.options,r={stroke:()=>J.dim,font:Gs,grid:{stroke:()=>J.line,width:1},ticks:{show:!1}};this.plot=new Ws({width:e,height:t,padding:[6,16,0,0],legend:{show:!1},cursor:{y:!1,drag:{x:!1,y:!1},points:{show:!1},sync:{key:`time`}},scales:{x:{time:!1,auto:!1},y:{distr:n?3:1,log:10,auto:!1}},axes:[{...r,size:22,gap:4,space:46,values:(e,t)=>t.map(e=>`${Number(e.toFixed(2))} s`)},{...r,size:this.options.said?52:36,gap:5,space:18,...n?{splits:e=>(e.scales.y.max>2e3?[1,10,100,1e3,1e4]:[1,3,10,30,100,300,1e3]).filter(t=>t>=e.scales.y.min&&t<=e.scales.y.max),values:(e,t)=>t.map(this.options.said??String),filter:(e,t)=>t}:{size:(e,t)=>Math.max(36,12+6.2*Math.max(0,...(t??[]).map(e=>e.length))),values:(e,t)=>t.map(Xs)}}],series:[{},...this.curves.map(e=>({label:e.label,stroke:e.colour,width:e.width,points:{show:!1},...e.dash?{dash:e.dash}:{},...e.band?{fill:()=>`${J.band}80`,fillTo:(e,t,n)=>n}:{}}))],hooks:{drawClear:[e=>this.drawUnder(e)],draw:[e=>this.drawOver(e)],setCursor:[e=>this.options.onHover?.((e.cursor.left??-1)<0?void 0:e.posToVal(e.cursor.left,`x`))]}},[[0],...this.curves.map(()=>[null])],this.element);let i=this.plot.over,{onPick:a}=this.options;a&&i.addEventListener(`click`,e=>a(this.plot.posToVal(e.offsetX,`x`)))}drawUnder(e){let{A:t,B:n}=this.options.cursors?.()??{},{left:r,top:i,width:a,height:o}=e.bbox;if(t===void 0||n===void 0)return;let[s,c]=[t,n].map(t=>Math.max(r,Math.min(r+a,e.valToPos(t,`x`,!0)))).sort((e,t)=>e-t);e.ctx.fillStyle=`${J.bg2}b0`,e.ctx.fillRect(s,i,c-s,o)}drawCursors(e){let t=e.ctx,n=Ws.pxRatio,{left:r,top:i,width:a,height:o}=e.bbox,s=this.options.cursors?.()??{};for(let c of[`A`,`B`]){let l=s[c],u=l===void 0?-1:e.valToPos(l,`x`,!0);if(!(l===void 0||u<r-1||u>r+a+1)){t.strokeStyle=J.text,t.lineWidth=n,t.setLineDash([3*n,3*n]),t.beginPath(),t.moveTo(u,i),t.lineTo(u,i+o),t.stroke(),t.setLineDash([]);for(let i of this.curves){let o=this.options.said?i.series.at(l):void 0,s=u>r+a*.6;if(o===void 0)continue;let c=e.valToPos(Math.max(o,this.floor()),`y`,!0);t.fillStyle=i.colour(),t.beginPath(),t.arc(u,c,4*n,0,7),t.fill(),t.textAlign=s?`right`:`left`,Ys(t,this.options.said(o),u+(s?-9:9)*n,c+(s?14:-6)*n)}Zs(t,c,u,i+7*n,n)}}}drawLimits(e){let t=e.ctx,n=Ws.pxRatio,{left:r,top:i,width:a}=e.bbox;for(let{value:o,text:s}of this.options.limits?.()??[]){let c=e.valToPos(o,`y`,!0);c<i||(t.strokeStyle=J.dim,t.lineWidth=n,t.setLineDash([2*n,3*n]),t.beginPath(),t.moveTo(r,c),t.lineTo(r+a,c),t.stroke(),t.setLineDash([]),t.textAlign=`left`,Ys(t,s,r+a*.42,c-5*n,J.dim))}}drawOver(e){let t=e.ctx,n=Ws.pxRatio,{left:r,top:i,width:a,height:o}=e.bbox,s=t=>e.valToPos(t,`x`,!0);t.save(),t.font=Gs.replace(`11px`,`${11*n}px`),t.lineWidth=n;for(let e of this.options.marks?.()??[]){let c=s(e.time);c<r||c>r+a||(t.strokeStyle=t.fillStyle=J.text,t.setLineDash([3*n,3*n]),t.beginPath(),t.moveTo(c,i+o),t.lineTo(c,i+20*n),t.stroke(),t.setLineDash([]),t.beginPath(),t.moveTo(c,i+16*n),t.lineTo(c-4*n,i+23*n),t.lineTo(c+4*n,i+23*n),t.fill(),t.textAlign=c>r+a*.65?`right`:`left`,Ys(t,e.text,c+(t.textAlign===`right`?-7:7)*n,i+26*n))}t.textAlign=`left`;for(let{curve:t,text:n}of this.options.labels?.(e)??[])this.label(e,t,n);this.drawLimits(e),this.drawCursors(e),this.shown<e.scales.x.max-1e-6&&this.shown!==this.options.cursors?.().B&&(t.strokeStyle=J.text,t.lineWidth=n,t.beginPath(),t.moveTo(s(this.shown),i),t.lineTo(s(this.shown),i+o),t.stroke()),t.restore()}label(e,t,n){let r=e.ctx,i=Ws.pxRatio,a=e.data[Math.abs(t)],o=e.data[0],s=t<0?a.length-1:Math.floor(a.length*.3),c=a[s];if(c==null)return;let l=e.bbox.left+e.bbox.width,u=t<0||e.valToPos(o[s],`x`,!0)+r.measureText(n).width>l;r.textAlign=u?`right`:`left`,Ys(r,n,e.valToPos(o[s],`x`,!0)-(u?4*i:0),e.valToPos(c,`y`,!0)+(t<0?18:-6)*i,t<0?J.text:J.dim)}};function $s(e,t,n,r){let i=be(e);if(!i||!t)return;let a=t.topic.after(n),o=t.topic.after(n-r),s=Math.max(1,Math.floor((a-o)/60)),c=1/0,l=-1/0;for(let e=o;e<a;e++){let n=t.values[e];n!=null&&(c=Math.min(c,n),l=Math.max(l,n))}if(c>l)return;let u=e.clientWidth-4,d=e.clientHeight-4,f=l-c,p=e=>(t.times[e]-n+r)/r*u,m=e=>2+(f>0?(1-(e-c)/f)*d:d/2);i.strokeStyle=J.dim,i.lineWidth=1,i.beginPath();let h;for(let e=o;e<a;e=e<a-1?Math.min(e+s,a-1):a){let n=t.values[e];n!=null&&(h?i.lineTo(p(e),m(n)):i.moveTo(p(e),m(n)),h=[p(e),m(n)])}i.stroke(),h&&(i.fillStyle=J.text,i.beginPath(),i.arc(Math.min(h[0],u),h[1],2,0,7),i.fill())}var ec=60,tc=10,nc={name:`car`,place:`right`,width:372,fits:e=>Sn(e)?.car!==void 0,make({store:e}){let t=U(`div`,{class:`value`}),n=U(`small`,{}),r=U(`div`,{}),i=U(`span`,{}),a=U(`div`,{class:`right`}),o=new Qs({height:132,onPick:t=>e.show(t)}),s=new Qs({height:84,onPick:t=>e.show(t)}),c=U(`div`,{}),l=(e,...t)=>U(`header`,{class:`head`},U(`h2`,{},e),...t),u=``,d=[];return{element:K(`Car`,i,U(`div`,{class:`big-number`},U(`div`,{class:`first`},t,n),U(`div`,{class:`second`},r,U(`small`,{},`position`))),o.element,l(`Speed`,a),s.element,l(`Inputs and outputs`),c),update(){let i=Sn(e),l=i?.car;if(!i||!l)return;let f=i.topic.name,p=e.numbers(f,l),m=e.numbers(f,l.replace(/position$/,`velocity`)),h=p.at(e.time),g=wn(e,i),_=Math.max(e.start,e.time-ec),v=Math.max(e.time,e.start+1),y=h!==void 0&&g?Math.round(h/g):void 0,b=y!==void 0&&Math.abs(h-y*g)<.1;G(t,b?q((h-y*g)*1e3,1):q(m?.at(e.time),2),b?`mm`:`m/s`),W(n,b?`from floor ${y}`:`on its way`),G(r,q(h,3),`m`),o.draw([{label:`position`,series:p,width:2,colour:()=>J.avatar}],_,v,e.time),m&&(s.draw([{label:`speed`,series:m,width:1.5,colour:()=>J.text}],_,v,e.time),W(a,`largest ${q(Math.max(...m.span().map(Math.abs)),2)} m/s`));let x=[...i.topic.facts.keys()].filter(e=>/\/value$/.test(e)),S=[...[...i.topic.facts.keys()].filter(t=>/\/(on|open)$/.test(t)&&!/call/.test(t)&&(([e,t])=>t>e)(e.numbers(f,t).span())).slice(0,tc-x.length),...x];S.join()!==u&&(u=S.join(),d=S.map(e=>({path:e,line:U(`canvas`,{"aria-hidden":`true`}),value:U(`span`,{class:`num`})})),c.replaceChildren(...d.map(e=>U(`div`,{class:`axis`,title:i.topic.facts.get(e.path)?.summary??``},U(`span`,{},e.path.replace(/\/(on|value)$/,``).replace(/\/open$/,``).replace(/_/g,` `)),e.line,e.value))));let C=i.topic.at(e.time);for(let t of d){let n=C?.[t.path];W(t.value,typeof n==`boolean`?n?t.path.endsWith(`open`)?`open`:`on`:t.path.endsWith(`open`)?`closed`:`off`:Ce(n)),$s(t.line,e.numbers(f,t.path),e.time,ec)}}}}};function rc(e){let t=new Set(e.run.components.map(e=>e.name)),n=e.topics.get(`/run/components`)?.at(e.end);for(let e of Array.isArray(n)?n:[])t.add(e.name);for(let n of e.topics.keys()){let e=L(n);e&&(e.startsWith(`world/`)||!e.includes(`/`))&&t.add(e)}let r=[...t],i=r.filter(e=>!e.includes(`.`));return[...i.flatMap(e=>[e,...r.filter(t=>t.startsWith(`${e}.`))]),...r.filter(e=>e.includes(`.`)&&!i.includes(e.split(`.`)[0]))]}function ic(e){return e<=0?``:e>=950?`${(e/1e3).toFixed(+(e<9950)).replace(/\.0$/,``)} kHz`:`${e<.95?e.toFixed(1):e.toFixed(0)} Hz`}var ac={name:`components`,place:`left`,fits:()=>!0,make({store:e}){let t=U(`div`,{class:`rows`,role:`listbox`,"aria-label":`Components`}),n=U(`div`,{class:`group`}),r=[],i=``,a=i=>{r=i.map(t=>{let n=U(`span`,{class:`now`}),r=U(`span`,{class:`rate`}),a=U(`canvas`,{"aria-hidden":`true`}),o=t.split(/[./]/).pop();return{name:t,element:U(`button`,{class:i.includes(t.slice(0,Math.max(0,t.indexOf(`.`))))?`row child`:`row`,role:`option`,title:t,"aria-label":t,click:()=>e.select(e.selected===t?``:t)},U(`span`,{},o),a,n,r),now:n,rate:r,line:a}}),t.replaceChildren(n,...r.map(e=>e.element))},o=K(`Components`,U(`span`,{},`now    rate`),t),s=[`scene`,`graph`].map(t=>({view:t,element:U(`button`,{role:`tab`,id:`view-${t}`,click:()=>{e.view=t,e.changed()}},t===`graph`?`Graph`:`Components`)}));return o.querySelector(`h2`).replaceWith(U(`div`,{class:`tabs`,role:`tablist`,"aria-label":`Components or their graph`},...s.map(e=>e.element))),{element:o,update(){s.forEach(t=>t.element.setAttribute(`aria-selected`,String(t.view===e.view)));let t=rc(e);t.join()!==i&&(i=t.join(),a(t)),W(n,t.length?`application ${e.run.application}`:`waiting for the first message`);for(let t of r){t.topic??=e.topics.get(`/${t.name}/values`)??e.topics.get(`/${t.name}/device/values`);let n=t.topic&&fe(t.topic);if(ye(t.element,`chosen`,e.selected===t.name),t.element.setAttribute(`aria-selected`,String(e.selected===t.name)),n){let r=st(t.topic.at(e.time),n.path);G(t.now,(n.path.includes(`sigma`)?`±`:``)+Ce(r,n.unit),typeof r==`string`?``:n.unit),typeof r==`number`&&$s(t.line,e.numbers(n.topic,n.path),e.time,20)}W(t.rate,t.name.endsWith(`.hardware`)?`robot`:t.name.endsWith(`.simulation`)?`avatar`:ic(t.topic?.rate(e.time)??0))}}}}},oc=e=>e.other!==void 0,sc=(e,t)=>[e,...t?[U(`span`,{class:`unit`},` ${t}`)]:[]],cc={name:`recordings`,place:`left`,fits:oc,make({store:e}){let t=e.other,n=De(e,t),r=Oe(e,t),i=(e,t)=>U(`tr`,{},U(`td`,{class:`first`},Ee(e)),U(`td`,{},U(`b`,{},r[e===`1`?0:1])),U(`td`,{class:`num dim`,title:t.run.file},t.run.file)),a=(...e)=>U(`table`,{},U(`tbody`,{},...e));return{element:U(`div`,{class:`panel pair`},K(`Recordings`,``,a(i(`1`,e),i(`2`,t))),K(`What differs`,n.length===0?`no setting`:n.length===1?`one setting`:`${n.length} settings`,a(...n.slice(0,12).flatMap(e=>[U(`tr`,{class:`chosen`},U(`td`,{title:e.key,colspan:`2`},e.key)),U(`tr`,{},U(`td`,{colspan:`2`},U(`div`,{class:`sides`},Ee(`1`),U(`span`,{},e.one),Ee(`2`),U(`span`,{},e.two))))]))),K(`What is the same`,``,a(...We(e,t).map(([e,t,n])=>U(`tr`,{},U(`td`,{title:e},e),U(`td`,{class:`num`},...sc(t,n))))))),update(){}}}},lc={name:`figures`,place:`right`,fits:oc,make({store:e}){let t=e.other,n=U(`tbody`,{}),r=U(`h2`,{}),i=U(`div`,{class:`value`,id:`ratio`}),[a,o]=[U(`div`,{}),U(`div`,{})],s=U(`small`,{}),c=``,l=U(`div`,{class:`big-number`},U(`div`,{class:`first`},i,s),U(`div`,{class:`second`},a,o)),u=K(`At cursor B`,``,l,U(`div`,{class:`scroll`},U(`table`,{class:`figures`},U(`thead`,{},U(`tr`,{},U(`th`,{},`distance robot ↔ avatar`),U(`th`,{class:`num`},Ee(`1`)),U(`th`,{class:`num`},Ee(`2`)),U(`th`,{class:`num`},`2 against 1`))),n)));u.querySelector(`h2`).replaceWith(r);let d=e=>{let t=z(e);return t&&e.numbers(t.distance.topic,t.distance.path)};return{element:u,update(){let{A:u=e.start,B:f=e.time}=e.marks,p=`${u} ${f}`;if(p===c)return;c=p;let m=d(e)?.at(f),h=d(t)?.at(f),g=(h??0)>=(m??0);W(r,`At cursor B, ${we(f)}`),l.hidden=m===void 0&&h===void 0,W(i,(g?Fe(m,h):Fe(h,m))||`–`),W(s,`farther apart in ${g?`2`:`1`}, ${Oe(e,t)[+!!g]}`),a.replaceChildren(Ee(`1`),` `,...sc(...Pe(m))),o.replaceChildren(Ee(`2`),` `,...sc(...Pe(h))),n.replaceChildren(...He(e,t,u,f).flatMap(e=>{let t=t=>{let[,n,r=e.unit]=/^(.*?)(?: (mm|m))?$/.exec(t);return sc(n,n===`–`||!/\d/.test(n)?``:r)},n=U(`tr`,{},U(`td`,{title:e.name},e.name),U(`td`,{class:`num`},...t(e.one)),U(`td`,{class:`num ${e.isBad?`danger`:``}`},...t(e.two)),U(`td`,{class:`num`},U(`b`,{},e.against)));return e.group?[U(`tr`,{},U(`td`,{class:`small dim`},e.group)),n]:[n]}))}}}},uc={name:`distances`,place:`bottom`,fits:e=>oc(e)&&z(e)!==void 0,make({store:e}){let t=e.other,n=Oe(e,t),r=[e,t],i=e=>z(e)?.distance,a=[...e.properties.values()].find(t=>t.name===`SafeRadius`&&t.component===z(e)?.distance.topic.split(`/`)[1]),o=Number(a?.value),s=new Qs({height:182,log:!0,onPick:t=>e.show(t),cursors:()=>e.marks,said:e=>Pe(e).join(` `).replace(/\.0+ /,` `),limits:()=>o>0?[{value:o*1e3,text:`safe radius ${o*1e3} mm: farther is DIVERGED`}]:[]});return{element:K(`Distance robot ↔ avatar`,U(`span`,{},U(`span`,{class:`avatar`},`━ 1 ${n[0]}\u2003╌ 2 ${n[1]}`),` logarithmic`),s.element),update(){let t=r.flatMap((e,t)=>{let r=i(e),a=r&&e.numbers(r.topic,r.path);return a?[{label:n[t],series:a,width:t?1.5:2,colour:()=>J.avatar,...t?{dash:[6,4]}:{}}]:[]});t.length&&s.draw(t,e.start,e.end,e.time)}}}},dc={name:`events`,place:`bottom`,fits:oc,make({store:e}){let t={warn:`▲ `,error:`■ `},n=Ge(e,e.other).map(n=>{let r=U(`button`,{title:n.text,click:()=>e.show(n.time)},n.who===`=`?U(`span`,{"aria-label":`both`},`=`):Ee(n.who),U(`span`,{class:`dim`},we(n.time)),U(`span`,{class:n.level===`error`?`danger`:n.level},(t[n.level]??``)+n.text.replace(/->/g,`→`)));return r.dataset.time=String(n.time),r}),r=U(`div`,{class:`log both`,tabindex:`0`,role:`log`,"aria-label":`Events of both`},...n.length?n:[U(`div`,{class:`empty`},`Nothing was logged.`)]);return{element:K(`Events`,U(`span`,{},Ee(`1`),` only 1 `,Ee(`2`),` only 2  = both`),r),update(){n.forEach(t=>t.classList.toggle(`later`,Number(t.dataset.time)>e.time+1e-6))}}}},fc=e=>e.slice(e.lastIndexOf(`/`)+1),pc=e=>e.slice(0,Math.max(0,e.lastIndexOf(`/`))),mc=class{paths;moves;element=U(`div`,{class:`machine`});boxes=new Map;constructor(e,t){this.paths=e,this.moves=t,this.element.append(...this.level(``))}level(e){let t=this.paths.filter(t=>pc(t)===e),n=U(`div`,{class:`states`}),r=[];return t.forEach((e,i)=>{i>0&&n.append(U(`span`,{class:`move`,"aria-hidden":`true`},this.moves.has(`${t[i-1]}>${e}`)?`→`:``));let a=this.paths.some(t=>pc(t)===e),o=U(`span`,{class:`state`},fc(e));if(this.boxes.set(e,o),n.append(o),a){let t=U(`div`,{class:`inside`,role:`group`,"aria-label":`in ${fc(e)}`},U(`small`,{},`in ${fc(e)}`),...this.level(e));this.boxes.set(`${e}/`,t),r.push(t)}}),[n,...r]}show(e){for(let[t,n]of this.boxes){let r=t.endsWith(`/`),i=e.has(r?t.slice(0,-1):t);ye(n,`within`,i&&(r||this.boxes.has(`${t}/`))),ye(n,`present`,i&&!r&&!this.boxes.has(`${t}/`)),r||(i?n.setAttribute(`aria-current`,`step`):n.removeAttribute(`aria-current`))}}},hc=e=>/^(fault|error|failed)$/.test(fc(e));function gc(e,t){let n=[],r=t.name.split(`/`)[1];for(let i=0;i<t.length&&t.times[i]<=e.time;i++){let a=String(t.message(i).present).split(`|`).some(hc),o=n.at(-1),s=t.times[i];if(a&&(!o||o.cleared!==void 0)){let t=e.lines.filter(e=>e.from===r&&e.level===`error`&&/^fault /.test(e.text)&&Math.abs(e.time-s)<.1).pop(),[,i=`fault`,a=``,o=``]=/^fault ([^:]*): ([^;]*);? ?(.*)$/.exec(t?.text??``)??[];n.push({at:s,name:i,cause:a,braked:o})}else!a&&o&&(o.cleared??=s)}return n}var _c=class{store;body=U(`tbody`,{});count=U(`div`,{class:`right`});table=U(`table`,{class:`faults`},U(`thead`,{},U(`tr`,{},...[`at`,`fault`,`cause`,`cleared`].map(e=>U(`th`,{},e)))),this.body);element=U(`div`,{},U(`header`,{class:`head`},U(`h2`,{},`Faults`),this.count),this.table);key=``;constructor(e){this.store=e}show(e,t){this.element.hidden=!t.some(hc);let n=`${e.name} ${e.count} ${e.after(this.store.time)} ${this.store.lines.length}`;if(this.element.hidden||n===this.key)return;this.key=n;let r=gc(this.store,e),i=r.filter(e=>e.cleared===void 0).length;W(this.count,`${i} active, ${r.length-i} cleared`),this.table.hidden=r.length===0,this.body.replaceChildren(...r.slice(-4).reverse().map(e=>U(`tr`,{title:e.braked},U(`td`,{},we(e.at)),U(`td`,{class:`danger`},`■ ${e.name}`),U(`td`,{},e.cause),U(`td`,{},e.cleared===void 0?`active`:we(e.cleared)))))}};function vc(e){let[,t=e,n=``,r=``]=/^([^>=!]*)([>=!])?(.*)$/s.exec(e)??[];return{name:t,isAllowed:n===`>`,words:n===`>`?`→ ${fc(r)}`:n===`=`?`already so`:`no: ${r}`}}var yc=(e,t)=>e.words?.find(e=>e.toLowerCase()===t||e.toLowerCase().endsWith(`_${t}`));function bc(e,t,n){for(let r of e.services.values()){let e=r.name.startsWith(`/${t}/`)?r.shape.find(e=>e.words&&n.every(t=>yc(e,t.name))):void 0;if(e)return{service:r,kind:e,target:r.shape.find(e=>e.parts?.length&&e.parts.every(e=>e.isNumber))}}}var xc=e=>/^(roll|pitch|yaw|theta)$/.test(e)?`rad`:`m`;function Sc(e,t){let n=ve(e,`doppel.MeasuredPose`).find(e=>!/avatar/i.test(e.name))?.at(e.end)?.pose;return t.parts.map(({name:e})=>({name:e,unit:xc(e),value:n?.[e]??0}))}var Cc=/^(stop|disable|disarm|emergency|halt|reset|acknowledge)/;async function wc(e,t,{kind:n,target:r}){let i={[n.name]:yc(n,t.name)},a=r&&t.name===`position`;if(Cc.test(t.name)||await Ot(e,`${Tc(t.name)}?`,Tc(t.name))){if(a){let n=await Tt(Tc(t.name),`Where shall it go?`,`Go`,Sc(e,r));return n&&{...i,[r.name]:n}}return i}}var Tc=e=>e.slice(0,1).toUpperCase()+e.slice(1),Ec=class{store;why=U(`p`,{class:`why`});said=U(`p`,{class:`why`,role:`status`,"aria-label":`What came of the last request`});grid=U(`div`,{class:`requests`,role:`group`,"aria-label":`Requests`});count=U(`div`,{class:`right`});element=U(`div`,{},U(`header`,{class:`head`},U(`h2`,{},`Requests`),this.count),this.why,this.grid,this.said);buttons=new Map;now=new Map;taker;accepted;constructor(e){this.store=e}show(e,t){let n=t.map(vc);this.element.hidden=n.length===0,this.now=new Map(n.map(e=>[e.name,e])),[...this.buttons.keys()].join()!==n.map(e=>e.name).join()&&this.make(n),this.taker=bc(this.store,e,n);let r=this.reason(e);W(this.why,r);let{accepted:i,store:a}=this,o=i&&a.lines.filter(t=>t.from===e&&t.level===`error`&&t.time>=i.at).pop();o&&W(this.said,`${Tc(i.name)}: accepted, but then: ${o.text}`),W(this.count,`allowed now: ${n.filter(e=>e.isAllowed).length} of ${n.length}`);for(let e of n){let{box:t,button:n,words:i}=this.buttons.get(e.name);ye(t,`allowed`,e.isAllowed),n.setAttribute(`aria-disabled`,String(!e.isAllowed||r!==``)),t.title=r||e.words,W(i,e.words)}}reason(e=`nobody`){return Dt(this.store)||(this.store.cursor===void 0?this.taker?``:`${e} has no service that takes them`:`this is what held then: back to live to ask for something`)}make(e){this.buttons=new Map(e.map(({name:e})=>{let t=U(`small`,{id:`request-${e}`}),n=U(`button`,{"aria-describedby":t.id,click:()=>void this.ask(e)},Tc(e));return[e,{box:U(`div`,{class:`request${/^emergency/.test(e)?` grave`:``}`},n,t),button:n,words:t}]})),this.grid.replaceChildren(...[...this.buttons.values()].map(e=>e.box))}async ask(e){let t=this.now.get(e),{taker:n,store:r}=this,i=t=>W(this.said,`${Tc(e)}: ${t}`);this.accepted=void 0;let a=this.reason()||(t.isAllowed?``:t.words);if(a||!n)i(a);else try{let a=await wc(r,t,n);if(!a){i(`not asked for`);return}await At(r);let o=r.end;await n.service.call(a),i(`accepted`),this.accepted={name:e,at:o}}catch(t){let n=this.now.get(e);i(n.isAllowed?t.message:`refused, ${n.words}`)}}},Dc=`doppel.StateReport`,Oc=e=>typeof e==`string`&&e?e.split(`|`):[];function kc(e){let t=ve(e,Dc);return t.find(t=>t.name.startsWith(`/${e.selected}/`))??t.find(e=>e.message(e.length-1)?.requests)??t[0]}var Ac={name:`console`,place:`right`,width:500,fits:e=>kc(e)!==void 0,make({store:e}){let t=U(`span`,{}),n=U(`div`,{}),r=new Ec(e),i=new _c(e),a=K(`Operator's console`,t,n,r.element,i.element),o,s=``;return{element:a,update(){let a=kc(e),c=a?.at(e.time)??a?.message(0);if(!a||!c)return;let l=a.name.split(`/`)[1];W(t,l),`${a.name} ${c.states}`!==s&&(s=`${a.name} ${c.states}`,o=new mc(Oc(c.states),new Set(Oc(c.moves))),n.replaceChildren(o.element)),o.show(new Set(Oc(c.present))),r.show(l,Oc(c.requests)),i.show(a,Oc(c.states))}}}},jc=20,Mc=[[`Level in the workspace`,/^level/,``],[`Force`,/^force_[xyz]$/,`N`]],Nc=[void 0,[5,4],[2,3]];function Pc(e,t){for(let n of e.topics.values()){let e=L(n.name)&&n.length>0?[...n.facts].filter(([e])=>t.test(e)).map(([e,{unit:t}])=>({topic:n.name,path:e,unit:t})):[];if(e.length)return e.slice(0,Nc.length)}return[]}var Fc={name:`curves`,place:`under`,fits:e=>kc(e)!==void 0&&Mc.some(([,t])=>Pc(e,t).length>0),make({store:e}){let t=Mc.map(([t,n,r])=>{let i=U(`span`,{}),a=new Qs({height:116,onPick:t=>e.show(t)});return{names:n,note:i,chart:a,element:K(r?`${t}, ${r}`:t,i,a.element)}});return{element:U(`div`,{class:`pair`},...t.map(e=>e.element)),update(){for(let{names:n,note:r,chart:i,element:a}of t){let t=Pc(e,n);a.hidden=t.length===0;let o=t.flatMap((t,n)=>{let r=e.numbers(t.topic,t.path),i=Nc[n];return r?[{label:t.path,series:r,width:1.5,colour:()=>J.text,...i?{dash:i}:{}}]:[]});W(r,t.length===1?q(o[0]?.series.at(e.time),3):t.map((e,t)=>`${[`━`,`╌`,`┄`][t]} ${e.path.replace(/^.*_/,``)}`).join(`  `)),o.length&&i.draw(o,Math.max(e.start,e.time-jc),Math.max(e.time,e.start+1),e.time)}}}}};function Ic(e){return[...e.topics.values()].filter(e=>e.name.startsWith(`/executors/`)&&e.length>0).map(t=>{let n=t.at(e.time);return{name:t.name.slice(11),p50:n?.p50_ms??0,p99:n?.p99_ms??0,max:n?.max_ms??0,period:n?.period_ms}})}function Lc(e){let t=new Map;for(let n of e.topics.values()){let r=L(n.name),i=n.after(e.time),a=Math.max(1,n.after(e.time-20));if(r===void 0||r.includes(`.`)||i-a<5)continue;let o=[];for(let e=a;e<i;e++)o.push((n.times[e]-n.times[e-1])*1e3);let s=o.slice().sort((e,t)=>e-t)[o.length>>1],c=Te(Number(s.toPrecision(2))),l=t.get(c)??{names:0,gaps:[]};l.names++,l.gaps.push(...o),t.set(c,l)}return[...t].map(([e,{names:t,gaps:n}])=>(n.sort((e,t)=>e-t),{name:`every ${e}, ${t} component${t===1?``:`s`}`,p50:n[n.length>>1],p99:n[Math.floor(n.length*.99)],max:n[n.length-1]})).sort((e,t)=>t.p50-e.p50)}function Rc(e,t){let n=be(e);if(!n)return;let r=e.clientWidth,i=e.clientHeight-18,a=t.slice(0,3),o=a.flatMap(e=>[e.p50,e.max,e.period??e.max]).filter(e=>e>0).map(Math.log10),s=Math.min(Math.floor(Math.min(...o,0)),0)||-3,c=Math.max(Math.ceil(Math.max(...o,1)+.01),s+3),l=e=>Math.max(0,(Math.log10(Math.max(e,1e-6))-s)/(c-s)*(r-1));n.font=`11px Inter, system-ui, sans-serif`;for(let e=s;e<=c;e++){let t=Te(10**e).replace(`.0`,``);n.fillStyle=J.line,n.fillRect(Math.round(l(10**e)),0,1,i),n.fillStyle=J.dim,n.textAlign=e===s?`left`:e===c?`right`:`center`,(c-e)%Math.max(1,Math.ceil((c-s)*64/r))===0&&n.fillText(t,l(10**e),i+13)}let u=Math.min(50,i/Math.max(1,a.length));a.forEach((e,t)=>{let i=t*u+24;n.font=`12px Inter, system-ui, sans-serif`,n.textAlign=`left`,n.fillStyle=J.text,n.fillText(e.name,0,i-9);let a=n.measureText(e.name).width;n.font=`11px Inter, system-ui, sans-serif`,n.textAlign=`right`,n.fillStyle=J.dim;let o=`max ${Te(e.max)}`;a+n.measureText(o).width+8<r&&n.fillText(o,r,i-9),n.fillStyle=J.band,n.fillRect(0,i-4,l(e.p99),8),n.fillStyle=J.dim,n.fillRect(0,i-4,l(e.p50),8),n.fillRect(l(e.p99),i-.5,l(e.max)-l(e.p99),1),n.fillStyle=J.text,n.fillRect(l(e.max)-1,i-4,2,8),e.period&&(n.fillStyle=J.danger,n.fillRect(l(e.period)-1,i-7,2,14))})}var zc={name:`cycles`,place:`bottom`,fits:()=>!0,make({store:e}){let t=U(`canvas`,{class:`cycle`,role:`img`,"aria-label":`Cycle times`}),n=U(`span`,{}),r=K(`Cycle time`,n,t),i=r.querySelector(`h2`);return{element:r,update(){let r=Ic(e),a=r.length?r:Lc(e);W(i,r.length?`Cycle time`:`Period of values`),n.dataset.kind!==String(r.length>0)&&(n.dataset.kind=String(r.length>0),n.replaceChildren(`to p50, to p99, max`,...r.length?[`; `,U(`span`,{class:`danger`},`period`)]:[])),t.setAttribute(`aria-label`,a.map(e=>`${e.name}: p50 ${Te(e.p50)}, p99 ${Te(e.p99)}, max ${Te(e.max)}`).join(`; `)||`no cycles yet`),Rc(t,a)}}}},Bc=`doppel.VelocityCommand`,Vc=.2,Hc=.7;function Uc(e){let t=e.topics.get(`/run/inputs`),n=((t&&t.message(t.length-1))??[]).find(({name:t,type:n})=>n===Bc&&!e.run.connections.some(e=>`/${e.to}/${e.toPort}`===t));if(!n)return;let r=n.name.split(`/`)[1],i=t=>{let n=Number(e.properties.get(`${r}.${t}`)?.value);return n>0?n:void 0},a=i(`MaximumAngularVelocity`);return{name:n.name,component:r,speed:i(`MaximumVelocity`)??Vc,turn:a===void 0?Hc:a*Math.PI/180}}function Wc(e,t,n){let r=new Uint8Array(22),i=new DataView(r.buffer);return r.set([10,18,9]),i.setFloat64(3,e,!0),r[11]=17,i.setFloat64(12,t,!0),r.set([16,+!!n],20),r}var Gc={KeyW:[1,0],ArrowUp:[1,0],KeyS:[-1,0],ArrowDown:[-1,0],KeyA:[0,1],ArrowLeft:[0,1],KeyD:[0,-1],ArrowRight:[0,-1]},Kc=[4,5,6,7],qc=()=>[...navigator.getGamepads()].filter(e=>e!==null&&e.connected),Jc=.12,Yc=e=>Math.max(-1,Math.min(1,e)),Xc=e=>e===void 0||Math.abs(e)<Jc?0:Yc(e),Zc=class{letGo;isOn=!1;down=new Set;isPressed=!1;opened;constructor(e){this.letGo=e,document.addEventListener(`keydown`,e=>this.key(e),{capture:!0}),document.addEventListener(`keyup`,e=>this.up(e),{capture:!0});for(let e of[`blur`,`pagehide`,`gamepaddisconnected`])addEventListener(e,()=>this.release());document.addEventListener(`visibilitychange`,()=>{document.hidden&&this.release()})}attach(e){let t=e=>{this.isPressed=e,e||this.letGo()};e.addEventListener(`pointerdown`,n=>{e.setPointerCapture(n.pointerId),t(!0)});for(let n of[`pointerup`,`pointercancel`,`lostpointercapture`])e.addEventListener(n,()=>t(!1))}release(){this.down.clear(),this.isPressed=!1,this.opened=void 0,this.letGo()}gamepad(){let e=qc(),t=e.find(e=>e.mapping!==`standard`);return t&&!e.some(e=>e.mapping===`standard`)?`The browser does not know the buttons of this gamepad, which does not drive: ${t.id}`:`A gamepad: a shoulder button and the left stick.`}wish(){let e=this.isOn&&(this.down.has(`Shift`)||this.isPressed),t=this.isOn?this.heldPad():void 0;if(!e&&!t)return{isHeld:!1,forward:0,turn:0};let n=[...this.down].map(e=>Gc[e]),r=e=>n.reduce((t,n)=>t+(n?.[e]??0),0);return{isHeld:!0,forward:Yc((e?r(0):0)-Xc(t?.axes[1])),turn:Yc((e?r(1):0)-Xc(t?.axes[0]))}}heldPad(){let e=qc().find(e=>e.mapping===`standard`),t=e!==void 0&&Kc.some(t=>e.buttons[t]?.pressed);return t||(this.opened=e?.index),t&&this.opened===e.index?e:void 0}key(e){let t=e.key===`Shift`?`Shift`:e.code;!this.isOn||t!==`Shift`&&!(t in Gc)||e.target.matches(`input:not([type=range]), select, textarea`)||document.querySelector(`dialog[open]`)||(e.repeat||this.down.add(t),this.down.has(`Shift`)&&t!==`Shift`&&(e.preventDefault(),e.stopPropagation()))}up(e){let t=e.key===`Shift`?`Shift`:e.code;this.down.delete(t)&&t===`Shift`&&this.letGo()}},Qc=100,$c=1e3,el=class{store;port;isOn=!1;sent;share=.5;roundTrip=NaN;askedAt;stoppedAt=0;hands=new Zc(()=>this.stop());constructor(e){this.store=e,setInterval(()=>this.turn(),Qc),e.onRefusal=e=>{this.sent&&this.port&&e.startsWith(this.port.name)&&this.end(e)}}why(){return Dt(this.store)}toggle(){this.isOn?this.end():this.begin().catch(e=>Rt(e.message))}async begin(){await Ot(this.store,`Start driving?`,`Drive`)&&(await At(this.store),this.isOn=this.hands.isOn=!0,this.store.changed())}end(e=``){this.hands.release(),this.isOn=this.hands.isOn=!1,e&&Rt(e),this.store.changed()}stop(){this.sent&&this.port&&(this.sent=void 0,this.askedAt=void 0,this.store.publish?.(this.port.name,Wc(0,0,!1)),this.store.changed(),this.stoppedAt=performance.now())}turn(){if(!this.sent&&this.store.isDriving&&performance.now()-this.stoppedAt>700&&(this.store.isDriving=!1,this.store.changed()),!this.isOn)return;let e=this.port?this.why():`the run has no such port`;if(e){this.end(e);return}let t=this.hands.wish(),n=performance.now();if(!t.isHeld||document.hidden||!document.hasFocus()){this.stop();return}if(this.askedAt!==void 0&&n-this.askedAt>$c){this.end(`the run does not answer: let go, and start again`);return}let{port:r,store:i}=this,a=t.forward*this.share*r.speed,o=t.turn*this.share*r.turn;this.sent={linear:a,angular:o},i.isDriving=!0,i.publish?.(r.name,Wc(a,o,!0)),this.askedAt===void 0&&(this.askedAt=n,i.ping?.().then(()=>{this.roundTrip=performance.now()-n,this.askedAt===n&&(this.askedAt=void 0)},()=>this.end(`the run is lost`))),i.changed()}},tl={name:`drive`,place:`left`,fits:e=>!e.isRecording&&Uc(e)!==void 0,make({store:e}){let t=new el(e),n=U(`span`,{}),r=U(`button`,{id:`drive`,click:()=>t.toggle()}),i=U(`button`,{id:`hold`,class:`hold`},`Hold `,U(`span`,{class:`key`},`⇧ Shift`)),a=U(`input`,{type:`range`,min:`10`,max:`100`,step:`10`,value:`50`,"aria-label":`Share of the largest speed`,input:()=>{t.share=Number(a.value)/100,e.changed()}}),o=[[`W`,`forward`],[`A`,`turn left`],[`S`,`back`],[`D`,`turn right`]].map(([e,t])=>U(`span`,{class:`key`,title:t},e)),s=U(`span`,{class:`num`}),c=U(`span`,{class:`num`}),l=U(`span`,{class:`num`}),u=U(`span`,{class:`num`}),d=U(`p`,{class:`empty`});return t.hands.attach(i),{element:K(`Drive by hand`,n,U(`div`,{class:`drive`},r,i),d,U(`div`,{class:`wish`},U(`div`,{class:`cross`,"aria-hidden":`true`},...o),U(`div`,{},U(`div`,{},U(`span`,{},`forward`),s),U(`div`,{},U(`span`,{},`turn`),c),U(`div`,{},U(`span`,{},`answer after`),u))),U(`label`,{class:`share`},`at most`,a,l)),update(){t.port=Uc(e);let a=t.why(),{port:f,sent:p}=t;W(n,f?.name.slice(1)??``),W(r,t.isOn?`Stop driving`:`Start driving`),r.disabled=!t.isOn&&a!==``,r.title=i.title=a,r.setAttribute(`aria-pressed`,String(t.isOn)),i.disabled=!t.isOn,ye(i,`on`,p!==void 0),i.setAttribute(`aria-pressed`,String(p!==void 0)),W(d,a||(t.isOn?`Hold Shift or this button, and press W A S D or arrows. ${t.hands.gamepad()}`:`Start first: then hold Shift, and press W A S D or arrows.`)),G(s,q(p?.linear??0,2),`m/s`),G(c,q((p?.angular??0)*180/Math.PI,0),`°/s`),G(u,Number.isNaN(t.roundTrip)?`–`:t.roundTrip.toFixed(0),`ms`),f&&G(l,q(t.share*f.speed,2),`m/s`),o.forEach((e,t)=>ye(e,`on`,p!==void 0&&[p.linear>0,p.angular>0,p.linear<0,p.angular<0][t]))}}}},nl=44,rl=18;function il(e,[t,n],r,i,a){let o=be(e),s=t.series.topic,c=[];if(!o)return;for(let e=s.after(r-1e-9);e<s.after(i);e++){let r=t.series.values[e],i=n.series.at(s.times[e]);typeof r==`number`&&i!==void 0&&c.push([r,i])}if(c.length===0)return;let l=e=>{let t=c.map(t=>t[e]),n=Math.min(...t),r=Math.max(...t),i=(r-n)*.06||.5;return[n-i,r+i]},[u,d]=l(0),[f,p]=l(1),m=e.clientWidth-nl-8,h=e.clientHeight-rl-4,g=([e,t])=>[nl+(e-u)/(d-u)*m,4+h-(t-f)/(p-f)*h];o.strokeStyle=J.line,o.strokeRect(44.5,4.5,m,h),o.fillStyle=J.dim,o.font=`11px Inter, system-ui, sans-serif`,o.textAlign=`right`;for(let[e,t]of[[p,12],[f,4+h]])o.fillText(Ce(Number(e.toPrecision(3))),39,t);for(let[e,t]of[[u,78],[d,nl+m]])o.fillText(Ce(Number(e.toPrecision(3))),t,h+rl);o.strokeStyle=J.text;let _=Math.max(1,Math.floor(c.length/1500));for(let e=_;e<c.length;e+=_)o.globalAlpha=.2+.8*e/c.length,o.beginPath(),o.moveTo(...g(c[e-_])),o.lineTo(...g(c[e])),o.stroke();o.globalAlpha=1;let v=t.series.at(a),y=n.series.at(a);v!==void 0&&y!==void 0&&(o.fillStyle=t.colour(),o.beginPath(),o.arc(...g([v,y]),4,0,7),o.fill())}var al=[()=>J.text,()=>J.dim,()=>J.ok,()=>J.avatar];function ol(e){return`${e.topic.slice(1).replace(/\/values$/,``)} ${e.path.replace(/_/g,` `)}${e.unit?`, ${e.unit}`:``}`}var sl=class{store;onRemove;values=[];title=``;isXY=!1;key=``;cells=[];name=U(`b`,{});body=U(`tbody`,{});head;canvas=U(`canvas`,{class:`xy`,role:`img`,"aria-label":`one value over the other`});chart;over=U(`button`,{class:`small`,click:()=>{this.isXY=!this.isXY,this.store.changed()}},`x/y`);element;constructor(e,t){this.store=e,this.onRemove=t,this.chart=new Qs({height:96,onPick:t=>e.show(t),onHover:t=>{t!==e.hover&&(e.hover=t,e.changed())},cursors:()=>e.marks}),this.head=U(`tr`,{},...[``,`cursor`,`A`,`B`,`B − A`].map(e=>U(`th`,e?{class:`num`}:{},e))),this.element=U(`div`,{class:`box`,role:`group`},U(`div`,{class:`head`},this.name,U(`div`,{class:`right`},this.over,U(`button`,{class:`icon`,"aria-label":`Remove this plot`,title:`remove`,click:()=>this.onRemove(this)},`×`))),this.chart.element,this.canvas,U(`table`,{class:`cursors`},U(`thead`,{},this.head),this.body))}begin(e,t){this.title=e,this.values=t}takes(e){return this.isXY||this.values.length===0||this.values[0].unit===e.unit}add(e){let t=this.values.filter(t=>t.path!==e.path||t.topic!==e.topic),n=t.length;this.values=[...this.isXY?t.slice(-1):t,{...e,label:e.path,colour:al[n%al.length],...n%2?{dash:[5,4]}:{}}],n===0&&(this.title=ol(e))}rebuild(){let{store:e}=this;this.cells=this.values.map(e=>({value:e,now:U(`td`,{class:`num`}),a:U(`td`,{class:`num`}),b:U(`td`,{class:`num`}),between:U(`td`,{class:`num`})})),this.body.replaceChildren(...this.cells.map(({value:t,now:n,a:r,b:i,between:a})=>{let o=U(`span`,{"aria-hidden":`true`},t.dash?`╌ `:`━ `),s=L(t.topic)??t.topic.split(`/`)[1]??``;return o.style.color=t.colour(),U(`tr`,{},U(`td`,{},U(`button`,{class:`plain`,title:`${t.topic} ${t.path}: select ${s}`,click:()=>e.select(s)},o,t.label)),n,r,i,a)}))}update(e,t){let{store:n}=this,{A:r,B:i}=n.marks,a=this.values.map(e=>e.topic+e.path).join()+J.text,o=n.hover??n.time;a!==this.key&&(this.key=a,this.rebuild()),W(this.name,this.isXY&&this.values.length>1?`${this.values[1].label} over ${this.values[0].label}`:this.title||`Drop a field here`),this.element.setAttribute(`aria-label`,`Plot of ${this.name.textContent}`),this.over.hidden=this.values.length<2&&!this.isXY,this.over.setAttribute(`aria-pressed`,String(this.isXY));let s=this.values.flatMap(e=>{let t=n.numbers(e.topic,e.path);return t?[{...e,series:t,width:1.5}]:[]}),c=this.isXY&&s.length>1;this.canvas.hidden=!c,this.chart.element.hidden=c,c?(il(this.canvas,[s[0],s[1]],e,t,o),this.canvas.setAttribute(`aria-label`,this.name.textContent)):s.length&&this.chart.draw(s,e,t,n.time),this.element.classList.toggle(`marked`,r!==void 0||i!==void 0);for(let{value:e,now:t,a,b:s,between:c}of this.cells){let l=n.numbers(e.topic,e.path),u=e=>e===void 0?void 0:l?.at(e),d=u(r),f=u(i);W(t,Ce(u(o),e.unit)),W(a,Ce(d,e.unit)),W(s,Ce(f,e.unit)),W(c,d===void 0||f===void 0?`–`:Ce(f-d,e.unit))}}},cl=`application/x-doppel-field`,ll=[[`last 5 s`,5],[`last 20 s`,20],[`last 60 s`,60],[`all`,1/0],[`A to B`,0]],ul=8;function dl(e){let t=[...e.topics.values()].filter(e=>e.schema===`doppel.Odometry`&&e.length>0),n=t.find(e=>!/simulation|avatar/.test(e.name)),r=t.find(e=>/simulation|avatar/.test(e.name));if(n){let e=[{topic:n.name,path:`twist.linear`,unit:`m/s`,label:`robot`,colour:()=>J.real}];return r&&e.push({topic:r.name,path:`twist.linear`,unit:`m/s`,label:`avatar`,colour:()=>J.avatar,dash:[5,4]}),{title:`Speed, m/s`,values:e}}let i=de.map(t=>R(e,t)).find(t=>t!==void 0&&typeof e.value(t.topic,t.path,e.end)==`number`),a=i?[e.topics.get(i.topic)]:[];for(let t of[...a,...e.topics.values()]){let n=t.facts.size>0&&t.length>0?fe(t):void 0;if(n&&typeof t.at(e.end)?.[n.path]==`number`)return{title:ol(n),values:[{...n,label:n.path,colour:()=>J.text}]}}}function fl(e,t){let{A:n,B:r}=e.marks;return t===0&&n!==void 0&&r!==void 0?[Math.min(n,r),Math.max(n,r)]:[Math.max(e.start,e.time-(t||20)),Math.max(t===1/0?e.end:e.time,e.start+1)]}var pl={name:`plot`,place:`right`,fits:e=>!kc(e)&&!Sn(e),make({store:e}){let t,n=!1,r=U(`div`,{}),i=new Set,a=()=>{let n=new sl(e,t=>{i.delete(t),t.element.remove(),e.changed()});return n.element.addEventListener(`focusin`,()=>{t=n}),n.element.addEventListener(`pointerdown`,()=>{t=n}),i.add(n),r.append(n.element),n},o=(r,o)=>{let s=o&&i.has(o)&&o.takes(r)?o:i.size<ul?a():[...i].pop();s.add(r),t=s,n=!0,e.changed(),s.element.scrollIntoView({block:`nearest`})},s=U(`select`,{"aria-label":`Time that the plots show`,change:()=>e.changed()},...ll.map(([e,t])=>U(`option`,{value:String(t),selected:t===20},e))),c=U(`button`,{class:`icon`,"aria-label":`New plot`,title:`a new plot`,click:()=>{t=a(),n=!0,e.changed()}},`+`),l=K(`Plots`,U(`span`,{}),r);l.id=`plot`,l.querySelector(`.right`).append(s,c);let u=e=>[...i].find(t=>t.element.contains(e.target)),d=e=>i.forEach(t=>t.element.classList.toggle(`target`,t===e));return l.addEventListener(`dragover`,e=>{e.preventDefault(),l.classList.toggle(`target`,!u(e)),d(u(e))}),l.addEventListener(`dragleave`,()=>{l.classList.remove(`target`),d()}),l.addEventListener(`drop`,e=>{e.preventDefault(),l.classList.remove(`target`),d();let t=e.dataTransfer.getData(cl);t&&o(JSON.parse(t),u(e))}),document.addEventListener(`plot-field`,e=>o(JSON.parse(e.detail),t??[...i].pop())),{element:l,update(){let t=n?void 0:dl(e),[r,o]=fl(e,Number(s.value));!n&&i.size===0&&a(),t&&[...i][0].begin(t.title,t.values),i.forEach(e=>e.update(r,o))}}}},ml=(e,t)=>{let n=e.topics.get(`/run/components`)?.at(e.time);return Array.isArray(n)?n.find(e=>e.name===t)?.state:void 0},hl=class{store;state=U(`span`,{class:`dim`});said=U(`p`,{class:`why`,role:`status`,"aria-label":`What came of it`});component=``;buttons=[`start`,`stop`,`reset`].map(e=>({what:e,element:U(`button`,{click:()=>void this.operate(e)},e)}));element=U(`div`,{class:`life`},U(`div`,{class:`buttons`,role:`group`,"aria-label":`Life cycle`},this.state,...this.buttons.map(e=>e.element)),this.said);constructor(e){this.store=e}show(e){let{store:t}=this,n=ml(t,e),r=Dt(t);e!==this.component&&W(this.said,``),this.component=e,this.element.hidden=n===void 0,W(this.state,n??``);for(let{what:n,element:i}of this.buttons)i.hidden=!t.services.has(`/component/${n}`),i.setAttribute(`aria-disabled`,String(r!==``)),i.setAttribute(`aria-label`,`${n} ${e}`),i.title=r}async operate(e){let{store:t,component:n}=this,r=e=>{n===this.component&&W(this.said,e)};try{if(!Dt(t)&&e!==`stop`&&!await Ot(t,`${e} ${n}?`,e)){r(`${e}: not asked for`);return}await kt(t,`/component/${e}`,{component:n}),r(`${e}: done`)}catch(e){r(e.message)}}},gl=e=>e==null?``:String(e);function _l(e,t){let n=U(`td`,{class:`num`}),r=U(`tr`,{title:t.summary},U(`td`,{},t.name),n,U(`td`,{class:`num dim small`},t.range));return t.live&&!e.isRecording?yl(e,t,r,n):{rows:[r],update:()=>G(n,Ce(t.value===``?void 0:t.value),t.unit)}}var vl=new Map;function yl(e,t,n,r){let i=`${t.component}.${t.name}`,a=vl.get(`${t.component}.${t.name}`)??{before:[],said:``},{before:o}=a,s=`${i}${t.unit?` in ${t.unit}`:``}`,c=U(`td`,{colspan:`3`,role:`alert`}),l=U(`tr`,{class:`refused`},c);vl.set(i,a);let u=async n=>{let r=t.value;try{return await At(e),await e.setProperty(i,n),a.said=``,r}catch(e){throw a.said=`${e.message}${t.range&&!/expected/.test(e.message)?` (${t.range}${t.unit?` ${t.unit}`:``})`:``}`,e}finally{p.value=gl(t.value),e.changed()}},d=()=>{let e=p.value.trim(),n=Number(e);u(e!==``&&Number.isFinite(n)&&typeof t.value==`number`?n:e).then(e=>o.push(e)).catch(()=>void 0)},f=t.choices??(/^(true|false)$/.test(gl(t.value))?[`true`,`false`]:void 0),p=f?U(`select`,{"aria-label":s,change:d},...f.map(e=>U(`option`,{value:e},e))):U(`input`,{"aria-label":s,change:d}),m=U(`button`,{class:`icon`,"aria-label":`Undo ${i}`,click:()=>{u(o.at(-1)).then(()=>{o.pop(),p.focus()}).catch(()=>void 0)}},`↶`);return r.append(m,p,U(`span`,{class:`unit`},` ${t.unit}`)),{rows:[n,l],update:()=>{document.activeElement!==p&&(p.value=gl(t.value)),p.disabled=Dt(e)!==``,p.title=Dt(e)||t.summary,m.disabled=p.disabled,m.hidden=o.length===0,m.title=`back to ${gl(o.at(-1))}`,W(c,a.said),l.hidden=a.said===``}}}function bl(e){let t=[...e.properties.values()].map(e=>[`${e.component}.${e.name}`,gl(e.value)]).filter(([,e])=>e!==``&&!e.includes(`
`)).map(([e,t])=>`--set '${e}=${t.replaceAll(`'`,`'"'"'`)}'\n`).join(``),n=U(`a`,{href:URL.createObjectURL(new Blob([t],{type:`text/plain`})),download:`${e.run.application||`run`}.options`});n.click(),setTimeout(()=>URL.revokeObjectURL(n.href),1e3)}var xl=e=>e.selected.split(`.`)[0]||L(z(e)?.distance.topic??``)||L(R(e,...de)?.topic??``)||e.run.components[0]?.name||L([...e.topics.values()].find(e=>e.facts.size>0&&e.length>0&&L(e.name)!==void 0)?.name??``)||``;function Sl(e,t,n,r,i){let a=U(`td`,{class:`num`}),o=JSON.stringify({topic:t,path:n,unit:r}),s=U(`button`,{class:`icon`,"aria-label":`Plot ${n}`,title:`plot it`,click:()=>document.dispatchEvent(new CustomEvent(`plot-field`,{detail:o}))},`∿`);return{rows:[U(`tr`,{class:`field`,draggable:`true`,title:i,dragstart:e=>e.dataTransfer.setData(cl,o)},U(`td`,{},n),a,U(`td`,{class:`num`},s))],update:()=>{let i=e.value(t,n);G(a,Ce(i,r),typeof i==`number`?r:``)}}}var Cl={name:`details`,place:`right`,fits:()=>!0,make({store:e}){let t,n=``,r=[],i=U(`tbody`,{}),a=U(`table`,{},i),o=U(`span`,{}),s=U(`div`,{class:`empty`}),c=[`properties`,`values`].map(r=>({name:r,element:U(`button`,{role:`tab`,click:()=>{t=r,n=``,e.changed()}},r)})),l=new hl(e),u=U(`button`,{class:`small`,title:`as options of doppel run, as doppel param save does`,click:()=>bl(e)},`Save as binding`),d=K(`Component`,U(`span`,{},u,o),l.element,U(`div`,{class:`scroll`},a,s)),f=d.querySelector(`h2`);return f.after(U(`div`,{class:`tabs`,role:`tablist`,"aria-label":`Of the component`},...c.map(e=>e.element))),{element:d,update(){let a=xl(e),d=[...e.properties.values()].filter(e=>e.component===a),p=e.topics.get(`/${e.selected||a}/values`)??e.topics.get(`/${a}/device/values`),m=t??(d.length||!p?`properties`:`values`),h=`${a} ${m} ${d.map(e=>e.name+e.live).join()} ${e.isRecording} ${m===`values`?p?.name:``}`;W(f,a.replace(/^world\//,``)||`Component`),c.forEach(e=>e.element.setAttribute(`aria-selected`,String(e.name===m))),h!==n&&(n=h,r=m===`properties`?d.map(t=>_l(e,t)):p?[...p.facts].map(([t,n])=>Sl(e,p.name,t,n.unit,n.summary)):[],i.replaceChildren(...r.flatMap(e=>e.rows)),W(o,`${r.length} ${m}`),W(s,i.childElementCount?``:m===`values`?`It has no values.`:`It has no properties.`)),u.hidden=m===`values`||e.link!==`live`,l.show(a),r.forEach(e=>e.update())}}}};function wl({min:e,max:t,unit:n}){return`${e&&t?`${e} to ${t}`:e?`at least ${e}`:t?`at most ${t}`:`a number`}${n?` ${n}`:``}`}function Tl(e,t){let n=t.trim()===``?NaN:Number(t),r=e.min===``?-1/0:Number(e.min),i=e.max===``?1/0:Number(e.max);return Number.isFinite(n)&&!(n<r)&&!(n>i)?``:`${e.name}: '${t}' is not ${wl(e)}`}function El(e,t,n){let r=t.map(e=>({p:e,input:U(`input`,{value:e.value,inputmode:`decimal`,"aria-label":`${e.name}${e.unit?` in ${e.unit}`:``}`,title:wl(e),"aria-describedby":`form-says`})})),i=U(`input`,{value:e.replace(/\.xml$/,`_mine.xml`),"aria-label":`Name of the new file`}),a=U(`p`,{id:`form-says`,role:`alert`,"aria-label":`What came of the form`}),o=(e,t)=>{a.textContent=e,a.className=t?`refused`:``};return U(`form`,{submit:e=>{e.preventDefault();let t=r.map(({p:e,input:t})=>({why:Tl(e,t.value),input:t})).find(({why:e})=>e);if(t){o(t.why,!0),t.input.focus();return}let a=Object.fromEntries(r.filter(({p:e,input:t})=>Number(t.value)!==Number(e.value)).map(({p:e,input:t})=>[e.name,Number(t.value)]));n(i.value.trim(),a).then(e=>o(e,!1),e=>o(e.message,!0))},"aria-label":`Parameters of ${e}`},U(`table`,{},U(`tbody`,{},...r.map(({p:e,input:t})=>U(`tr`,{},U(`td`,{class:`first`},e.name),U(`td`,{},t,U(`span`,{class:`unit`},` ${e.unit}`)),U(`td`,{class:`dim`},e.summary))))),U(`div`,{class:`answers`},i,U(`button`,{},`Save as a new file`)),a)}var Dl=e=>e.topics.get(`/folder/run`)?.at(e.end)??{},Ol=async(e,t,n={})=>JSON.parse(await kt(e,t,n)),kl=e=>Rt(e.message),Al=e=>/^ok /.test(e)?`good`:/^(FAIL|hung|crash)/.test(e)?`bad`:``,jl={name:`folder`,place:`left`,width:620,fits:e=>e.services.has(`/folder/list`),make({store:e}){let t=U(`tbody`),n=U(`ol`,{class:`lines`,"aria-label":`What it says`,tabindex:`0`}),r=U(`p`,{role:`status`,"aria-label":`What is run`}),i=U(`div`,{}),a=U(`span`,{}),o=U(`button`,{click:()=>{kt(e,`/folder/stop`).catch(kl)}},`Stop it`),s=U(`button`,{click:()=>{Ol(e,`/folder/show`).then(({address:e})=>a.replaceChildren(U(`a`,{href:e,target:`_blank`,rel:`noopener`},`the recording`)),kl)}},`Open the result`),c=!1,l=``,u=[],d=async()=>{let{files:n}=await Ol(e,`/folder/list`);u=n.filter(e=>e.kind===`machine`).map(e=>e.file),t.replaceChildren(...n.map(m))},f=(t,n,r)=>{a.replaceChildren(),kt(e,`/folder/run`,{file:t,step:n,machine:r}).catch(kl)},p=async t=>{let{parameters:n}=await Ol(e,`/folder/form`,{file:t});i.replaceChildren(El(t,n,async(n,r)=>(await kt(e,`/folder/make`,{file:t,name:n,values:r}),await d(),`${n} is saved and checked`))),i.querySelector(`input`)?.focus()};function m({file:e,kind:t,parameters:n}){let r=U(`input`,{placeholder:`all steps`,"aria-label":`Step of ${e}`}),i=U(`select`,{"aria-label":`World of ${e}`},U(`option`,{value:``},`its world`),...u.map(e=>U(`option`,{value:e},e)));return U(`tr`,{},U(`td`,{class:`first`},e),U(`td`,{},t),U(`td`,{},t===`plan`&&r),U(`td`,{},t===`plan`&&u.length>0&&i),U(`td`,{},t!==`machine`&&U(`button`,{"aria-label":`Run ${e}`,click:()=>f(e,r.value.trim(),i.value)},`Run`),n>0&&U(`button`,{"aria-label":`Parameters of ${e}`,click:()=>{p(e).catch(kl)}},`Parameters`)))}return{element:K(`Benches, plans and machines`,``,U(`div`,{class:`folder`},U(`table`,{},t),i,U(`div`,{class:`answers`},r,o,s,a),n)),update(){!c&&e.link===`live`&&(c=!0,d().catch(kl));let{file:t=``,running:i=!1,code:a=0,lines:u=[]}=Dl(e),f=`${t} ${i} ${a} ${u.length} ${u[u.length-1]??``}`;o.disabled=!i,s.disabled=i||!t,W(r,t?i?`${t} runs`:`${t}: ${a===0?`as expected`:a===4?`not as expected`:`it ended with ${a}`}`:`nothing was run`),f!==l&&(l=f,n.replaceChildren(...u.map(e=>U(`li`,{class:Al(e)},e))),n.scrollTop=n.scrollHeight)}}}};function Ml(e,t){let n=new Map,r=[],i=e=>{n.set(e,`open`);for(let a of t.filter(t=>t.from===e))n.get(a.to)!==`open`&&(r.push(a),n.has(a.to)||i(a.to));n.set(e,`done`)};return e.forEach(e=>{n.has(e)||i(e)}),r}function Nl(e,t){let n=Ml(e,t),r=new Map(e.map(e=>[e,0]));for(let t=0;t<e.length;t++)for(let{from:e,to:t}of n)r.set(t,Math.max(r.get(t)??0,(r.get(e)??0)+1));let i=[],a=new Map;for(let t of e)(i[r.get(t)]??=[]).push(t);let o=e=>e.forEach((t,n)=>a.set(t,n-(e.length-1)/2));i.forEach(o);for(let e=0;e<6;e++)for(let e of i){let n=e=>{let n=t.flatMap(t=>t.from===e?[t.to]:t.to===e?[t.from]:[]);return n.length?n.reduce((e,t)=>e+a.get(t),0)/n.length:a.get(e)},r=new Map(e.map(e=>[e,n(e)]));o(e.sort((e,t)=>r.get(e)-r.get(t)))}return new Map(e.map(e=>[e,{column:r.get(e),row:a.get(e)}]))}var Pl=156,Fl=50,Il=`http://www.w3.org/2000/svg`;function Ll(e,t){let n=new Map;for(let{from:r,port:i,to:a}of e.run.connections){let e=`${r}→${a}`,o=n.get(e)??{from:r,to:a,ports:[]};t.includes(r)&&t.includes(a)&&r!==a&&(o.ports.includes(i)||o.ports.push(i),n.set(e,o))}return[...n.values()]}function Rl(e,t){let n=e.topics.get(`/run/components`)?.at(e.time),r=Array.isArray(n)?n.find(e=>e.name===t):void 0,i=r?.executor===void 0?void 0:e.topics.get(`/executors/${r.executor}`),a=e=>{let t=i?.at(e);return Number(t?.missed??0)+Number(t?.overruns??0)};return a(e.time)-a(e.time-5)}function zl(e,t){return t.ports.slice(0,3).map(n=>{let r=ic(e.topics.get(`/${t.from}/${n}`)?.rate(e.time)??0);return r?`${n} ${r}`:n}).join(`
`)+(t.ports.length>3?`\nand ${t.ports.length-3} more`:``)}var Bl={name:`graph`,place:`main`,fits:e=>e.view===`graph`,make({store:e}){let t=document.createElementNS(Il,`svg`),n=U(`div`,{class:`field-of-boxes`}),r=U(`div`,{class:`notice`}),i=U(`section`,{class:`graph`,"aria-label":`Graph of the components`},U(`p`,{class:`small dim`},`data solid · services dashed · red: a deadline was missed in the last 5 s`),n,r);t.setAttribute(`aria-hidden`,`true`);let a=``,o=[],s=[],c=(r,a)=>{let c=t=>t.ports.some(n=>e.topics.has(`/${t.from}/${n}`)),l=Nl(r,a.filter(c)),u=i.clientWidth-32,d=[...l.values()],f=Math.max(...d.map(e=>e.column))+1,p=Math.max(...d.map(e=>Math.abs(e.row)))*2+1,m=Math.max(i.clientHeight-56,p*76),h=Math.max(u,f*246),g=e=>(e.column+.5)/f*h,_=e=>m/2+(e.row+(e.column%2?.22:0))*(m/(p+.4));t.setAttribute(`viewBox`,`0 0 ${h} ${m}`),n.style.width=t.style.width=`${h}px`,n.style.height=t.style.height=`${m}px`,t.replaceChildren(),s=a.map(e=>{let n=l.get(e.from),r=l.get(e.to),i=r.column<=n.column,a=g(n)+(i&&n.column!==r.column?-156:Pl)/2,o=g(r)+(i&&n.column!==r.column||i?Pl:-156)/2,s=_(n)+(i?10:-6),u=_(r)+(i?10:-6),d=n.column===r.column?70:(o-a)/2,f=document.createElementNS(Il,`path`);f.setAttribute(`d`,`M${a} ${s}C${a+d} ${s} ${o+(n.column===r.column?d:-d)} ${u} ${o} ${u}`),f.setAttribute(`class`,c(e)?`data`:`service`);let p=document.createElementNS(Il,`circle`);for(let[e,t]of[[`cx`,o],[`cy`,u],[`r`,3.5]])p.setAttribute(e,String(t));t.append(f,p);let m=U(`span`,{class:`edge`});return m.style.left=`${(a+o)/2+(n.column===r.column?52:0)}px`,m.style.top=`${(s+u)/2}px`,{edge:e,element:m,line:f}}),o=r.map(t=>{let n=U(`small`,{}),r=l.get(t),i=U(`button`,{class:`node`,"aria-label":t,click:()=>e.select(e.selected===t?``:t)},U(`b`,{},t),n);return i.style.left=`${g(r)-Pl/2}px`,i.style.top=`${_(r)-Fl/2}px`,{name:t,element:i,note:n}}),n.replaceChildren(t,...s.map(e=>e.element),...o.map(e=>e.element))};return{element:i,update(){let t=rc(e).filter(e=>!e.includes(`.`)),n=Ll(e,t),l=`${t.join()} ${n.length} ${e.topics.size} ${i.clientWidth} ${i.clientHeight}`;W(r,t.length?``:`no components: a served world has none`),l!==a&&t.length&&(a=l,c(t,n));for(let{edge:t,element:n,line:r}of s){let i=e.selected===t.from||e.selected===t.to;W(n,zl(e,t)),n.hidden=!i&&r.classList.contains(`service`),r.classList.toggle(`chosen`,i)}for(let{name:t,element:n,note:r}of o){let i=Rl(e,t),a=e.topics.get(`/${t}/values`),o=ic(a?.rate(e.time)??0),s=[`losses`,`dropped`,`skipped`].map(t=>a?.at(e.time)?.[t]).find(e=>typeof e==`number`);W(r,[i>0?`■ missed ${i}`:``,o,typeof s==`number`?`${s} lost`:``,e.run.components.find(e=>e.name===t)?.class??``].filter(Boolean).join(` · `)),ye(n,`late`,i>0),ye(n,`chosen`,e.selected===t),n.setAttribute(`aria-pressed`,String(e.selected===t))}}}}},Vl=Math.PI/180,Hl=e=>e.channel.split(`/`).at(-2);function Ul(e,t){let{tracks:n}=e.frames,{robot:r,avatar:i}=pe(e),a=[...n.keys()].find(e=>e.endsWith(`/${t}`))??i??r;return a?e.frames.inWorld(a,e.time):void 0}var Wl=class{store;say;element=U(`div`,{class:`carry`,role:`group`,"aria-label":`Carry`});buttons=[];constructor(e,t){this.store=e,this.say=t}offer(e){this.buttons=e.map(e=>({input:e,at:U(`span`,{class:`num dim`}),button:U(`button`,{click:()=>void this.carry(e)},`Carry ${Hl(e)} …`)})),this.element.replaceChildren(...this.buttons.map(({button:e,at:t})=>U(`div`,{class:`line`},e,t))),this.element.hidden=e.length===0}update(e){for(let{input:t,button:n,at:r}of this.buttons){let i=Ul(this.store,Hl(t));n.setAttribute(`aria-disabled`,String(e!==``)),n.title=e||t.summary,W(r,i?`${q(i[0],2)}, ${q(i[1],2)} m, ${q(vt(i)/Vl,0)}°`:``)}}async carry(e){let{store:t,say:n}=this,r=Hl(e),i=gn(t,e),a=Ul(t,r);if(i){n(i);return}let o=e=>Number(e.toFixed(3)),s=await Tt(`Carry ${r}`,`Where shall it be put down?`,`Put down`,[{name:`x`,unit:`m`,value:o(a?.[0]??0)},{name:`y`,unit:`m`,value:o(a?.[1]??0)},{name:`heading`,unit:`°`,value:o(a?vt(a)/Vl:0)}]);if(s)try{let i=await _n(t,e,[s.x,s.y,s.heading*Vl]);n(`${r} is at ${q(s.x,2)}, ${q(s.y,2)} m${i}`)}catch(e){n(e.message)}}},Gl={LEFT:0,MIDDLE:1,RIGHT:2,ROTATE:0,DOLLY:1,PAN:2},Kl={ROTATE:0,PAN:1,DOLLY_PAN:2,DOLLY_ROTATE:3},ql=1e3,Jl=1001,Yl=1002,Xl=1003,Zl=1004,Ql=1005,$l=1006,eu=1007,tu=1008,nu=1009,ru=1010,iu=1011,au=1012,ou=1013,su=1014,cu=1015,lu=1016,uu=1017,du=1018,fu=1020,pu=35902,mu=35899,hu=1021,gu=1022,_u=1023,vu=1026,yu=1027,bu=1028,xu=1029,Su=1030,Cu=1031,wu=1033,Tu=33776,Eu=33777,Du=33778,Ou=33779,ku=35840,Au=35841,ju=35842,Mu=35843,Nu=36196,Pu=37492,Fu=37496,Iu=37488,Lu=37489,Ru=37490,zu=37491,Bu=37808,Vu=37809,Hu=37810,Uu=37811,Wu=37812,Gu=37813,Ku=37814,qu=37815,Ju=37816,Yu=37817,Xu=37818,Zu=37819,Qu=37820,$u=37821,ed=36492,td=36494,nd=36495,rd=36283,id=36284,ad=36285,od=36286,sd=2300,cd=2301,ld=2302,ud=2303,dd=2400,fd=2401,pd=2402,md=3200,hd=`srgb`,gd=`srgb-linear`,_d=`linear`,vd=`srgb`,yd=7680,bd=35044,xd=2e3;function Sd(e){for(let t=e.length-1;t>=0;--t)if(e[t]>=65535)return!0;return!1}function Cd(e){return ArrayBuffer.isView(e)&&!(e instanceof DataView)}function wd(e){return document.createElementNS(`http://www.w3.org/1999/xhtml`,e)}function Td(){let e=wd(`canvas`);return e.style.display=`block`,e}var Ed={};function Dd(...e){let t=`THREE.`+e.shift();console.log(t,...e)}function Od(e){let t=e[0];if(typeof t==`string`&&t.startsWith(`TSL:`)){let t=e[1];t&&t.isStackTrace?e[0]+=` `+t.getLocation():e[1]=`Stack trace not available. Enable "THREE.Node.captureStackTrace" to capture stack traces.`}return e}function Y(...e){e=Od(e);let t=`THREE.`+e.shift();{let n=e[0];n&&n.isStackTrace?console.warn(n.getError(t)):console.warn(t,...e)}}function kd(...e){e=Od(e);let t=`THREE.`+e.shift();{let n=e[0];n&&n.isStackTrace?console.error(n.getError(t)):console.error(t,...e)}}function Ad(...e){let t=e.join(` `);t in Ed||(Ed[t]=!0,Y(...e))}function jd(e,t,n){return new Promise(function(r,i){function a(){switch(e.clientWaitSync(t,e.SYNC_FLUSH_COMMANDS_BIT,0)){case e.WAIT_FAILED:i();break;case e.TIMEOUT_EXPIRED:setTimeout(a,n);break;default:r()}}setTimeout(a,n)})}var Md={0:0,2:6,4:4,3:5,1:1,6:2,7:7,5:3},Nd=class{addEventListener(e,t){this._listeners===void 0&&(this._listeners={});let n=this._listeners;n[e]===void 0&&(n[e]=[]),n[e].indexOf(t)===-1&&n[e].push(t)}hasEventListener(e,t){let n=this._listeners;return n!==void 0&&n[e]!==void 0&&n[e].indexOf(t)!==-1}removeEventListener(e,t){let n=this._listeners;if(n===void 0)return;let r=n[e];if(r!==void 0){let e=r.indexOf(t);e!==-1&&r.splice(e,1)}}dispatchEvent(e){let t=this._listeners;if(t===void 0)return;let n=t[e.type];if(n!==void 0){e.target=this;let t=n.slice(0);for(let n=0,r=t.length;n<r;n++)t[n].call(this,e);e.target=null}}},Pd=`00.01.02.03.04.05.06.07.08.09.0a.0b.0c.0d.0e.0f.10.11.12.13.14.15.16.17.18.19.1a.1b.1c.1d.1e.1f.20.21.22.23.24.25.26.27.28.29.2a.2b.2c.2d.2e.2f.30.31.32.33.34.35.36.37.38.39.3a.3b.3c.3d.3e.3f.40.41.42.43.44.45.46.47.48.49.4a.4b.4c.4d.4e.4f.50.51.52.53.54.55.56.57.58.59.5a.5b.5c.5d.5e.5f.60.61.62.63.64.65.66.67.68.69.6a.6b.6c.6d.6e.6f.70.71.72.73.74.75.76.77.78.79.7a.7b.7c.7d.7e.7f.80.81.82.83.84.85.86.87.88.89.8a.8b.8c.8d.8e.8f.90.91.92.93.94.95.96.97.98.99.9a.9b.9c.9d.9e.9f.a0.a1.a2.a3.a4.a5.a6.a7.a8.a9.aa.ab.ac.ad.ae.af.b0.b1.b2.b3.b4.b5.b6.b7.b8.b9.ba.bb.bc.bd.be.bf.c0.c1.c2.c3.c4.c5.c6.c7.c8.c9.ca.cb.cc.cd.ce.cf.d0.d1.d2.d3.d4.d5.d6.d7.d8.d9.da.db.dc.dd.de.df.e0.e1.e2.e3.e4.e5.e6.e7.e8.e9.ea.eb.ec.ed.ee.ef.f0.f1.f2.f3.f4.f5.f6.f7.f8.f9.fa.fb.fc.fd.fe.ff`.split(`.`),Fd=1234567,Id=Math.PI/180,Ld=180/Math.PI;function Rd(){let e=Math.random()*4294967295|0,t=Math.random()*4294967295|0,n=Math.random()*4294967295|0,r=Math.random()*4294967295|0;return(Pd[e&255]+Pd[e>>8&255]+Pd[e>>16&255]+Pd[e>>24&255]+`-`+Pd[t&255]+Pd[t>>8&255]+`-`+Pd[t>>16&15|64]+Pd[t>>24&255]+`-`+Pd[n&63|128]+Pd[n>>8&255]+`-`+Pd[n>>16&255]+Pd[n>>24&255]+Pd[r&255]+Pd[r>>8&255]+Pd[r>>16&255]+Pd[r>>24&255]).toLowerCase()}function zd(e,t,n){return Math.max(t,Math.min(n,e))}function Bd(e,t){return(e%t+t)%t}function Vd(e,t,n,r,i){return r+(e-t)*(i-r)/(n-t)}function Hd(e,t,n){return e===t?0:(n-e)/(t-e)}function Ud(e,t,n){return(1-n)*e+n*t}function Wd(e,t,n,r){return Ud(e,t,1-Math.exp(-n*r))}function Gd(e,t=1){return t-Math.abs(Bd(e,t*2)-t)}function Kd(e,t,n){return e<=t?0:e>=n?1:(e=(e-t)/(n-t),e*e*(3-2*e))}function qd(e,t,n){return e<=t?0:e>=n?1:(e=(e-t)/(n-t),e*e*e*(e*(e*6-15)+10))}function Jd(e,t){return e+Math.floor(Math.random()*(t-e+1))}function Yd(e,t){return e+Math.random()*(t-e)}function Xd(e){return e*(.5-Math.random())}function Zd(e){e!==void 0&&(Fd=e);let t=Fd+=1831565813;return t=Math.imul(t^t>>>15,t|1),t^=t+Math.imul(t^t>>>7,t|61),((t^t>>>14)>>>0)/4294967296}function Qd(e){return e*Id}function $d(e){return e*Ld}function ef(e){return e>0&&Number.isInteger(e)&&2**Math.round(Math.log2(e))===e}function tf(e){return 2**Math.ceil(Math.log(e)/Math.LN2)}function nf(e){return 2**Math.floor(Math.log(e)/Math.LN2)}function rf(e,t,n,r,i){let a=Math.cos,o=Math.sin,s=a(n/2),c=o(n/2),l=a((t+r)/2),u=o((t+r)/2),d=a((t-r)/2),f=o((t-r)/2),p=a((r-t)/2),m=o((r-t)/2);switch(i){case`XYX`:e.set(s*u,c*d,c*f,s*l);break;case`YZY`:e.set(c*f,s*u,c*d,s*l);break;case`ZXZ`:e.set(c*d,c*f,s*u,s*l);break;case`XZX`:e.set(s*u,c*m,c*p,s*l);break;case`YXY`:e.set(c*p,s*u,c*m,s*l);break;case`ZYZ`:e.set(c*m,c*p,s*u,s*l);break;default:Y(`MathUtils: .setQuaternionFromProperEuler() encountered an unknown order: `+i)}}function af(e){switch(e.constructor){case Uint32Array:return 4294967295;case Uint16Array:return 65535;case Uint8Array:case Uint8ClampedArray:return 255;case Int32Array:return 2147483647;case Int16Array:return 32767;case Int8Array:return 127;default:return}}function of(e,t){if(t.constructor===Float32Array)return e;let n=af(t);if(n===void 0)throw Error(`THREE.MathUtils: Invalid component type.`);return Math.max(e/n,-1)}function sf(e,t){if(t.constructor===Float32Array)return e;let n=af(t);if(n===void 0)throw Error(`THREE.MathUtils: Invalid component type.`);return Math.round(e*n)}var cf={DEG2RAD:Id,RAD2DEG:Ld,generateUUID:Rd,clamp:zd,euclideanModulo:Bd,mapLinear:Vd,inverseLerp:Hd,lerp:Ud,damp:Wd,pingpong:Gd,smoothstep:Kd,smootherstep:qd,randInt:Jd,randFloat:Yd,randFloatSpread:Xd,seededRandom:Zd,degToRad:Qd,radToDeg:$d,isPowerOfTwo:ef,ceilPowerOfTwo:tf,floorPowerOfTwo:nf,setQuaternionFromProperEuler:rf,normalize:sf,denormalize:of},X=class{static{this.prototype.isVector2=!0}constructor(e=0,t=0){this.x=e,this.y=t}get width(){return this.x}set width(e){this.x=e}get height(){return this.y}set height(e){this.y=e}set(e,t){return this.x=e,this.y=t,this}setScalar(e){return this.x=e,this.y=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;default:throw Error(`THREE.Vector2: index is out of range: `+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;default:throw Error(`THREE.Vector2: index is out of range: `+e)}}clone(){return new this.constructor(this.x,this.y)}copy(e){return this.x=e.x,this.y=e.y,this}add(e){return this.x+=e.x,this.y+=e.y,this}addScalar(e){return this.x+=e,this.y+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this}subScalar(e){return this.x-=e,this.y-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this}multiply(e){return this.x*=e.x,this.y*=e.y,this}multiplyScalar(e){return this.x*=e,this.y*=e,this}divide(e){return this.x/=e.x,this.y/=e.y,this}divideScalar(e){return this.multiplyScalar(1/e)}applyMatrix3(e){let t=this.x,n=this.y,r=e.elements;return this.x=r[0]*t+r[3]*n+r[6],this.y=r[1]*t+r[4]*n+r[7],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this}clamp(e,t){return this.x=zd(this.x,e.x,t.x),this.y=zd(this.y,e.y,t.y),this}clampScalar(e,t){return this.x=zd(this.x,e,t),this.y=zd(this.y,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(zd(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(e){return this.x*e.x+this.y*e.y}cross(e){return this.x*e.y-this.y*e.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(e){let t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;let n=this.dot(e)/t;return Math.acos(zd(n,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){let t=this.x-e.x,n=this.y-e.y;return t*t+n*n}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this}equals(e){return e.x===this.x&&e.y===this.y}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this}rotateAround(e,t){let n=Math.cos(t),r=Math.sin(t),i=this.x-e.x,a=this.y-e.y;return this.x=i*n-a*r+e.x,this.y=i*r+a*n+e.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}},lf=class{constructor(e=0,t=0,n=0,r=1){this.isQuaternion=!0,this._x=e,this._y=t,this._z=n,this._w=r}static slerpFlat(e,t,n,r,i,a,o){let s=n[r+0],c=n[r+1],l=n[r+2],u=n[r+3],d=i[a+0],f=i[a+1],p=i[a+2],m=i[a+3];if(u!==m||s!==d||c!==f||l!==p){let e=s*d+c*f+l*p+u*m;e<0&&(d=-d,f=-f,p=-p,m=-m,e=-e);let t=1-o;if(e<.9995){let n=Math.acos(e),r=Math.sin(n);t=Math.sin(t*n)/r,o=Math.sin(o*n)/r,s=s*t+d*o,c=c*t+f*o,l=l*t+p*o,u=u*t+m*o}else{s=s*t+d*o,c=c*t+f*o,l=l*t+p*o,u=u*t+m*o;let e=1/Math.sqrt(s*s+c*c+l*l+u*u);s*=e,c*=e,l*=e,u*=e}}e[t]=s,e[t+1]=c,e[t+2]=l,e[t+3]=u}static multiplyQuaternionsFlat(e,t,n,r,i,a){let o=n[r],s=n[r+1],c=n[r+2],l=n[r+3],u=i[a],d=i[a+1],f=i[a+2],p=i[a+3];return e[t]=o*p+l*u+s*f-c*d,e[t+1]=s*p+l*d+c*u-o*f,e[t+2]=c*p+l*f+o*d-s*u,e[t+3]=l*p-o*u-s*d-c*f,e}get x(){return this._x}set x(e){this._x=e,this._onChangeCallback()}get y(){return this._y}set y(e){this._y=e,this._onChangeCallback()}get z(){return this._z}set z(e){this._z=e,this._onChangeCallback()}get w(){return this._w}set w(e){this._w=e,this._onChangeCallback()}set(e,t,n,r){return this._x=e,this._y=t,this._z=n,this._w=r,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(e){return this._x=e.x,this._y=e.y,this._z=e.z,this._w=e.w,this._onChangeCallback(),this}setFromEuler(e,t=!0){let n=e._x,r=e._y,i=e._z,a=e._order,o=Math.cos,s=Math.sin,c=o(n/2),l=o(r/2),u=o(i/2),d=s(n/2),f=s(r/2),p=s(i/2);switch(a){case`XYZ`:this._x=d*l*u+c*f*p,this._y=c*f*u-d*l*p,this._z=c*l*p+d*f*u,this._w=c*l*u-d*f*p;break;case`YXZ`:this._x=d*l*u+c*f*p,this._y=c*f*u-d*l*p,this._z=c*l*p-d*f*u,this._w=c*l*u+d*f*p;break;case`ZXY`:this._x=d*l*u-c*f*p,this._y=c*f*u+d*l*p,this._z=c*l*p+d*f*u,this._w=c*l*u-d*f*p;break;case`ZYX`:this._x=d*l*u-c*f*p,this._y=c*f*u+d*l*p,this._z=c*l*p-d*f*u,this._w=c*l*u+d*f*p;break;case`YZX`:this._x=d*l*u+c*f*p,this._y=c*f*u+d*l*p,this._z=c*l*p-d*f*u,this._w=c*l*u-d*f*p;break;case`XZY`:this._x=d*l*u-c*f*p,this._y=c*f*u-d*l*p,this._z=c*l*p+d*f*u,this._w=c*l*u+d*f*p;break;default:Y(`Quaternion: .setFromEuler() encountered an unknown order: `+a)}return t===!0&&this._onChangeCallback(),this}setFromAxisAngle(e,t){let n=t/2,r=Math.sin(n);return this._x=e.x*r,this._y=e.y*r,this._z=e.z*r,this._w=Math.cos(n),this._onChangeCallback(),this}setFromRotationMatrix(e){let t=e.elements,n=t[0],r=t[4],i=t[8],a=t[1],o=t[5],s=t[9],c=t[2],l=t[6],u=t[10],d=n+o+u;if(d>0){let e=.5/Math.sqrt(d+1);this._w=.25/e,this._x=(l-s)*e,this._y=(i-c)*e,this._z=(a-r)*e}else if(n>o&&n>u){let e=2*Math.sqrt(1+n-o-u);this._w=(l-s)/e,this._x=.25*e,this._y=(r+a)/e,this._z=(i+c)/e}else if(o>u){let e=2*Math.sqrt(1+o-n-u);this._w=(i-c)/e,this._x=(r+a)/e,this._y=.25*e,this._z=(s+l)/e}else{let e=2*Math.sqrt(1+u-n-o);this._w=(a-r)/e,this._x=(i+c)/e,this._y=(s+l)/e,this._z=.25*e}return this._onChangeCallback(),this}setFromUnitVectors(e,t){let n=e.dot(t)+1;return n<1e-8?(n=0,Math.abs(e.x)>Math.abs(e.z)?(this._x=-e.y,this._y=e.x,this._z=0,this._w=n):(this._x=0,this._y=-e.z,this._z=e.y,this._w=n)):(this._x=e.y*t.z-e.z*t.y,this._y=e.z*t.x-e.x*t.z,this._z=e.x*t.y-e.y*t.x,this._w=n),this.normalize()}angleTo(e){return 2*Math.acos(Math.abs(zd(this.dot(e),-1,1)))}rotateTowards(e,t){let n=this.angleTo(e);if(n===0)return this;let r=Math.min(1,t/n);return this.slerp(e,r),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(e){return this._x*e._x+this._y*e._y+this._z*e._z+this._w*e._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let e=this.length();return e===0?(this._x=0,this._y=0,this._z=0,this._w=1):(e=1/e,this._x*=e,this._y*=e,this._z*=e,this._w*=e),this._onChangeCallback(),this}multiply(e){return this.multiplyQuaternions(this,e)}premultiply(e){return this.multiplyQuaternions(e,this)}multiplyQuaternions(e,t){let n=e._x,r=e._y,i=e._z,a=e._w,o=t._x,s=t._y,c=t._z,l=t._w;return this._x=n*l+a*o+r*c-i*s,this._y=r*l+a*s+i*o-n*c,this._z=i*l+a*c+n*s-r*o,this._w=a*l-n*o-r*s-i*c,this._onChangeCallback(),this}slerp(e,t){let n=e._x,r=e._y,i=e._z,a=e._w,o=this.dot(e);o<0&&(n=-n,r=-r,i=-i,a=-a,o=-o);let s=1-t;if(o<.9995){let e=Math.acos(o),c=Math.sin(e);s=Math.sin(s*e)/c,t=Math.sin(t*e)/c,this._x=this._x*s+n*t,this._y=this._y*s+r*t,this._z=this._z*s+i*t,this._w=this._w*s+a*t,this._onChangeCallback()}else this._x=this._x*s+n*t,this._y=this._y*s+r*t,this._z=this._z*s+i*t,this._w=this._w*s+a*t,this.normalize();return this}slerpQuaternions(e,t,n){return this.copy(e).slerp(t,n)}random(){let e=2*Math.PI*Math.random(),t=2*Math.PI*Math.random(),n=Math.random(),r=Math.sqrt(1-n),i=Math.sqrt(n);return this.set(r*Math.sin(e),r*Math.cos(e),i*Math.sin(t),i*Math.cos(t))}equals(e){return e._x===this._x&&e._y===this._y&&e._z===this._z&&e._w===this._w}fromArray(e,t=0){return this._x=e[t],this._y=e[t+1],this._z=e[t+2],this._w=e[t+3],this._onChangeCallback(),this}toArray(e=[],t=0){return e[t]=this._x,e[t+1]=this._y,e[t+2]=this._z,e[t+3]=this._w,e}fromBufferAttribute(e,t){return this._x=e.getX(t),this._y=e.getY(t),this._z=e.getZ(t),this._w=e.getW(t),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(e){return this._onChangeCallback=e,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}},Z=class{static{this.prototype.isVector3=!0}constructor(e=0,t=0,n=0){this.x=e,this.y=t,this.z=n}set(e,t,n){return n===void 0&&(n=this.z),this.x=e,this.y=t,this.z=n,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;default:throw Error(`THREE.Vector3: index is out of range: `+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw Error(`THREE.Vector3: index is out of range: `+e)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this}multiplyVectors(e,t){return this.x=e.x*t.x,this.y=e.y*t.y,this.z=e.z*t.z,this}applyEuler(e){return this.applyQuaternion(df.setFromEuler(e))}applyAxisAngle(e,t){return this.applyQuaternion(df.setFromAxisAngle(e,t))}applyMatrix3(e){let t=this.x,n=this.y,r=this.z,i=e.elements;return this.x=i[0]*t+i[3]*n+i[6]*r,this.y=i[1]*t+i[4]*n+i[7]*r,this.z=i[2]*t+i[5]*n+i[8]*r,this}applyNormalMatrix(e){return this.applyMatrix3(e).normalize()}applyMatrix4(e){let t=this.x,n=this.y,r=this.z,i=e.elements,a=1/(i[3]*t+i[7]*n+i[11]*r+i[15]);return this.x=(i[0]*t+i[4]*n+i[8]*r+i[12])*a,this.y=(i[1]*t+i[5]*n+i[9]*r+i[13])*a,this.z=(i[2]*t+i[6]*n+i[10]*r+i[14])*a,this}applyQuaternion(e){let t=this.x,n=this.y,r=this.z,i=e.x,a=e.y,o=e.z,s=e.w,c=2*(a*r-o*n),l=2*(o*t-i*r),u=2*(i*n-a*t);return this.x=t+s*c+a*u-o*l,this.y=n+s*l+o*c-i*u,this.z=r+s*u+i*l-a*c,this}project(e){return this.applyMatrix4(e.matrixWorldInverse).applyMatrix4(e.projectionMatrix)}unproject(e){return this.applyMatrix4(e.projectionMatrixInverse).applyMatrix4(e.matrixWorld)}transformDirection(e){let t=this.x,n=this.y,r=this.z,i=e.elements;return this.x=i[0]*t+i[4]*n+i[8]*r,this.y=i[1]*t+i[5]*n+i[9]*r,this.z=i[2]*t+i[6]*n+i[10]*r,this.normalize()}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this}divideScalar(e){return this.multiplyScalar(1/e)}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this}clamp(e,t){return this.x=zd(this.x,e.x,t.x),this.y=zd(this.y,e.y,t.y),this.z=zd(this.z,e.z,t.z),this}clampScalar(e,t){return this.x=zd(this.x,e,t),this.y=zd(this.y,e,t),this.z=zd(this.z,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(zd(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this.z=e.z+(t.z-e.z)*n,this}cross(e){return this.crossVectors(this,e)}crossVectors(e,t){let n=e.x,r=e.y,i=e.z,a=t.x,o=t.y,s=t.z;return this.x=r*s-i*o,this.y=i*a-n*s,this.z=n*o-r*a,this}projectOnVector(e){let t=e.lengthSq();if(t===0)return this.set(0,0,0);let n=e.dot(this)/t;return this.copy(e).multiplyScalar(n)}projectOnPlane(e){return uf.copy(this).projectOnVector(e),this.sub(uf)}reflect(e){return this.sub(uf.copy(e).multiplyScalar(2*this.dot(e)))}angleTo(e){let t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;let n=this.dot(e)/t;return Math.acos(zd(n,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){let t=this.x-e.x,n=this.y-e.y,r=this.z-e.z;return t*t+n*n+r*r}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)+Math.abs(this.z-e.z)}setFromSpherical(e){return this.setFromSphericalCoords(e.radius,e.phi,e.theta)}setFromSphericalCoords(e,t,n){let r=Math.sin(t)*e;return this.x=r*Math.sin(n),this.y=Math.cos(t)*e,this.z=r*Math.cos(n),this}setFromCylindrical(e){return this.setFromCylindricalCoords(e.radius,e.theta,e.y)}setFromCylindricalCoords(e,t,n){return this.x=e*Math.sin(t),this.y=n,this.z=e*Math.cos(t),this}setFromMatrixPosition(e){let t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this}setFromMatrixScale(e){let t=this.setFromMatrixColumn(e,0).length(),n=this.setFromMatrixColumn(e,1).length(),r=this.setFromMatrixColumn(e,2).length();return this.x=t,this.y=n,this.z=r,this}setFromMatrixColumn(e,t){return this.fromArray(e.elements,t*4)}setFromMatrix3Column(e,t){return this.fromArray(e.elements,t*3)}setFromEuler(e){return this.x=e._x,this.y=e._y,this.z=e._z,this}setFromColor(e){return this.x=e.r,this.y=e.g,this.z=e.b,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){let e=Math.random()*Math.PI*2,t=Math.random()*2-1,n=Math.sqrt(1-t*t);return this.x=n*Math.cos(e),this.y=t,this.z=n*Math.sin(e),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}},uf=new Z,df=new lf,ff=class{static{this.prototype.isMatrix3=!0}constructor(e,t,n,r,i,a,o,s,c){this.elements=[1,0,0,0,1,0,0,0,1],e!==void 0&&this.set(e,t,n,r,i,a,o,s,c)}set(e,t,n,r,i,a,o,s,c){let l=this.elements;return l[0]=e,l[1]=r,l[2]=o,l[3]=t,l[4]=i,l[5]=s,l[6]=n,l[7]=a,l[8]=c,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(e){let t=this.elements,n=e.elements;return t[0]=n[0],t[1]=n[1],t[2]=n[2],t[3]=n[3],t[4]=n[4],t[5]=n[5],t[6]=n[6],t[7]=n[7],t[8]=n[8],this}extractBasis(e,t,n){return e.setFromMatrix3Column(this,0),t.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(e){let t=e.elements;return this.set(t[0],t[4],t[8],t[1],t[5],t[9],t[2],t[6],t[10]),this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){let n=e.elements,r=t.elements,i=this.elements,a=n[0],o=n[3],s=n[6],c=n[1],l=n[4],u=n[7],d=n[2],f=n[5],p=n[8],m=r[0],h=r[3],g=r[6],_=r[1],v=r[4],y=r[7],b=r[2],x=r[5],S=r[8];return i[0]=a*m+o*_+s*b,i[3]=a*h+o*v+s*x,i[6]=a*g+o*y+s*S,i[1]=c*m+l*_+u*b,i[4]=c*h+l*v+u*x,i[7]=c*g+l*y+u*S,i[2]=d*m+f*_+p*b,i[5]=d*h+f*v+p*x,i[8]=d*g+f*y+p*S,this}multiplyScalar(e){let t=this.elements;return t[0]*=e,t[3]*=e,t[6]*=e,t[1]*=e,t[4]*=e,t[7]*=e,t[2]*=e,t[5]*=e,t[8]*=e,this}determinant(){let e=this.elements,t=e[0],n=e[1],r=e[2],i=e[3],a=e[4],o=e[5],s=e[6],c=e[7],l=e[8];return t*a*l-t*o*c-n*i*l+n*o*s+r*i*c-r*a*s}invert(){let e=this.elements,t=e[0],n=e[1],r=e[2],i=e[3],a=e[4],o=e[5],s=e[6],c=e[7],l=e[8],u=l*a-o*c,d=o*s-l*i,f=c*i-a*s,p=t*u+n*d+r*f;if(p===0)return this.set(0,0,0,0,0,0,0,0,0);let m=1/p;return e[0]=u*m,e[1]=(r*c-l*n)*m,e[2]=(o*n-r*a)*m,e[3]=d*m,e[4]=(l*t-r*s)*m,e[5]=(r*i-o*t)*m,e[6]=f*m,e[7]=(n*s-c*t)*m,e[8]=(a*t-n*i)*m,this}transpose(){let e,t=this.elements;return e=t[1],t[1]=t[3],t[3]=e,e=t[2],t[2]=t[6],t[6]=e,e=t[5],t[5]=t[7],t[7]=e,this}getNormalMatrix(e){return this.setFromMatrix4(e).invert().transpose()}transposeIntoArray(e){let t=this.elements;return e[0]=t[0],e[1]=t[3],e[2]=t[6],e[3]=t[1],e[4]=t[4],e[5]=t[7],e[6]=t[2],e[7]=t[5],e[8]=t[8],this}setUvTransform(e,t,n,r,i,a,o){let s=Math.cos(i),c=Math.sin(i);return this.set(n*s,n*c,-n*(s*a+c*o)+a+e,-r*c,r*s,-r*(-c*a+s*o)+o+t,0,0,1),this}scale(e,t){return Ad(`Matrix3: .scale() is deprecated. Use .makeScale() instead.`),this.premultiply(pf.makeScale(e,t)),this}rotate(e){return Ad(`Matrix3: .rotate() is deprecated. Use .makeRotation() instead.`),this.premultiply(pf.makeRotation(-e)),this}translate(e,t){return Ad(`Matrix3: .translate() is deprecated. Use .makeTranslation() instead.`),this.premultiply(pf.makeTranslation(e,t)),this}makeTranslation(e,t){return e.isVector2?this.set(1,0,e.x,0,1,e.y,0,0,1):this.set(1,0,e,0,1,t,0,0,1),this}makeRotation(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,-n,0,n,t,0,0,0,1),this}makeScale(e,t){return this.set(e,0,0,0,t,0,0,0,1),this}equals(e){let t=this.elements,n=e.elements;for(let e=0;e<9;e++)if(t[e]!==n[e])return!1;return!0}fromArray(e,t=0){for(let n=0;n<9;n++)this.elements[n]=e[n+t];return this}toArray(e=[],t=0){let n=this.elements;return e[t]=n[0],e[t+1]=n[1],e[t+2]=n[2],e[t+3]=n[3],e[t+4]=n[4],e[t+5]=n[5],e[t+6]=n[6],e[t+7]=n[7],e[t+8]=n[8],e}clone(){return new this.constructor().fromArray(this.elements)}},pf=new ff,mf=new ff().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),hf=new ff().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function gf(){let e={enabled:!0,workingColorSpace:gd,spaces:{},convert:function(e,t,n){return this.enabled===!1||t===n||!t||!n||(this.spaces[t].transfer===`srgb`&&(e.r=vf(e.r),e.g=vf(e.g),e.b=vf(e.b)),this.spaces[t].primaries!==this.spaces[n].primaries&&(e.applyMatrix3(this.spaces[t].toXYZ),e.applyMatrix3(this.spaces[n].fromXYZ)),this.spaces[n].transfer===`srgb`&&(e.r=yf(e.r),e.g=yf(e.g),e.b=yf(e.b))),e},workingToColorSpace:function(e,t){return this.convert(e,this.workingColorSpace,t)},colorSpaceToWorking:function(e,t){return this.convert(e,t,this.workingColorSpace)},getPrimaries:function(e){return this.spaces[e].primaries},getTransfer:function(e){return e===``?_d:this.spaces[e].transfer},getToneMappingMode:function(e){return this.spaces[e].outputColorSpaceConfig.toneMappingMode||`standard`},getLuminanceCoefficients:function(e,t=this.workingColorSpace){return e.fromArray(this.spaces[t].luminanceCoefficients)},define:function(e){Object.assign(this.spaces,e)},_getMatrix:function(e,t,n){return e.copy(this.spaces[n].fromXYZ).multiply(this.spaces[t].toXYZ)},_getDrawingBufferColorSpace:function(e){return this.spaces[e].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(e=this.workingColorSpace){return this.spaces[e].workingColorSpaceConfig.unpackColorSpace}},t=[.64,.33,.3,.6,.15,.06],n=[.2126,.7152,.0722],r=[.3127,.329];return e.define({[gd]:{primaries:t,whitePoint:r,transfer:_d,toXYZ:mf,fromXYZ:hf,luminanceCoefficients:n,workingColorSpaceConfig:{unpackColorSpace:hd},outputColorSpaceConfig:{drawingBufferColorSpace:hd}},[hd]:{primaries:t,whitePoint:r,transfer:vd,toXYZ:mf,fromXYZ:hf,luminanceCoefficients:n,outputColorSpaceConfig:{drawingBufferColorSpace:hd}}}),e}var _f=gf();function vf(e){return e<.04045?e*.0773993808:(e*.9478672986+.0521327014)**2.4}function yf(e){return e<.0031308?e*12.92:1.055*e**.41666-.055}var bf,xf=class{static getDataURL(e,t=`image/png`){if(/^data:/i.test(e.src)||typeof HTMLCanvasElement>`u`)return e.src;let n;if(e instanceof HTMLCanvasElement)n=e;else{bf===void 0&&(bf=wd(`canvas`)),bf.width=e.width,bf.height=e.height;let t=bf.getContext(`2d`);e instanceof ImageData?t.putImageData(e,0,0):t.drawImage(e,0,0,e.width,e.height),n=bf}return n.toDataURL(t)}static sRGBToLinear(e){if(typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement||typeof HTMLCanvasElement<`u`&&e instanceof HTMLCanvasElement||typeof ImageBitmap<`u`&&e instanceof ImageBitmap){let t=wd(`canvas`);t.width=e.width,t.height=e.height;let n=t.getContext(`2d`);n.drawImage(e,0,0,e.width,e.height);let r=n.getImageData(0,0,e.width,e.height),i=r.data;for(let e=0;e<i.length;e++)i[e]=vf(i[e]/255)*255;return n.putImageData(r,0,0),t}if(e.data){let t=e.data.slice(0);for(let e=0;e<t.length;e++)t instanceof Uint8Array||t instanceof Uint8ClampedArray?t[e]=Math.floor(vf(t[e]/255)*255):t[e]=vf(t[e]);return{data:t,width:e.width,height:e.height}}return Y(`ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied.`),e}},Sf=0,Cf=class{constructor(e=null){this.isTextureSource=!0,Object.defineProperty(this,"id",{value:Sf++}),this.uuid=Rd(),this.data=e,this.dataReady=!0,this.version=0}getSize(e){let t=this.data;return typeof HTMLVideoElement<`u`&&t instanceof HTMLVideoElement?e.set(t.videoWidth,t.videoHeight,0):typeof VideoFrame<`u`&&t instanceof VideoFrame?e.set(t.displayWidth,t.displayHeight,0):t===null?e.set(0,0,0):e.set(t.width||0,t.height||0,t.depth||0),e}set needsUpdate(e){e===!0&&this.version++}toJSON(e){let t=e===void 0||typeof e==`string`;if(!t&&e.images[this.uuid]!==void 0)return e.images[this.uuid];let n={uuid:this.uuid,url:``},r=this.data;if(r!==null){let e;if(Array.isArray(r)){e=[];for(let t=0,n=r.length;t<n;t++)r[t].isDataTexture?e.push(wf(r[t].image)):e.push(wf(r[t]))}else e=wf(r);n.url=e}return t||(e.images[this.uuid]=n),n}};function wf(e){return typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement||typeof HTMLCanvasElement<`u`&&e instanceof HTMLCanvasElement||typeof ImageBitmap<`u`&&e instanceof ImageBitmap?xf.getDataURL(e):e.data?{data:Array.from(e.data),width:e.width,height:e.height,type:e.data.constructor.name}:(Y(`Texture: Unable to serialize Texture.`),{})}var Tf=0,Ef=new Z,Df=class e extends Nd{constructor(t=e.DEFAULT_IMAGE,n=e.DEFAULT_MAPPING,r=Jl,i=Jl,a=$l,o=tu,s=_u,c=nu,l=e.DEFAULT_ANISOTROPY,u=``){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:Tf++}),this.uuid=Rd(),this.name=``,this.source=new Cf(t),this.mipmaps=[],this.mapping=n,this.channel=0,this.wrapS=r,this.wrapT=i,this.magFilter=a,this.minFilter=o,this.anisotropy=l,this.format=s,this.internalFormat=null,this.type=c,this.offset=new X(0,0),this.repeat=new X(1,1),this.center=new X(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new ff,this.generateMipmaps=!0,this.mipmapsAutoUpdate=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=u,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(t&&t.depth&&t.depth>1),this.pmremVersion=0,this.isPMREMTexture=!1,this.normalized=!1}get width(){return this.source.getSize(Ef).x}get height(){return this.source.getSize(Ef).y}get depth(){return this.source.getSize(Ef).z}get image(){return this.source.data}set image(e){this.source.data=e}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(e){return this.name=e.name,this.source=e.source,this.mipmaps=e.mipmaps.slice(0),this.mapping=e.mapping,this.channel=e.channel,this.wrapS=e.wrapS,this.wrapT=e.wrapT,this.magFilter=e.magFilter,this.minFilter=e.minFilter,this.anisotropy=e.anisotropy,this.format=e.format,this.internalFormat=e.internalFormat,this.type=e.type,this.normalized=e.normalized,this.offset.copy(e.offset),this.repeat.copy(e.repeat),this.center.copy(e.center),this.rotation=e.rotation,this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrix.copy(e.matrix),this.generateMipmaps=e.generateMipmaps,this.mipmapsAutoUpdate=e.mipmapsAutoUpdate,this.premultiplyAlpha=e.premultiplyAlpha,this.flipY=e.flipY,this.unpackAlignment=e.unpackAlignment,this.colorSpace=e.colorSpace,this.renderTarget=e.renderTarget,this.isRenderTargetTexture=e.isRenderTargetTexture,this.isPMREMTexture=e.isPMREMTexture,this.isArrayTexture=e.isArrayTexture,this.userData=JSON.parse(JSON.stringify(e.userData)),this.needsUpdate=!0,this}setValues(e){for(let t in e){let n=e[t];if(n===void 0){Y(`Texture.setValues(): parameter '${t}' has value of undefined.`);continue}let r=this[t];r===void 0?Y(`Texture.setValues(): property '${t}' does not exist.`):r&&n&&r.isVector2&&n.isVector2||r&&n&&r.isVector3&&n.isVector3||r&&n&&r.isMatrix3&&n.isMatrix3?r.copy(n):this[t]=n}}toJSON(e){let t=e===void 0||typeof e==`string`;if(!t&&e.textures[this.uuid]!==void 0)return e.textures[this.uuid];let n={metadata:{version:4.7,type:`Texture`,generator:`Texture.toJSON`},uuid:this.uuid,name:this.name,image:this.source.toJSON(e).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,normalized:this.normalized,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,mipmapsAutoUpdate:this.mipmapsAutoUpdate,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(n.userData=this.userData),t||(e.textures[this.uuid]=n),n}dispose(){this.dispatchEvent({type:`dispose`})}transformUv(e){if(this.mapping!==300)return e;if(e.applyMatrix3(this.matrix),e.x<0||e.x>1)switch(this.wrapS){case ql:e.x-=Math.floor(e.x);break;case Jl:e.x=e.x<0?0:1;break;case Yl:Math.abs(Math.floor(e.x)%2)===1?e.x=Math.ceil(e.x)-e.x:e.x-=Math.floor(e.x)}if(e.y<0||e.y>1)switch(this.wrapT){case ql:e.y-=Math.floor(e.y);break;case Jl:e.y=e.y<0?0:1;break;case Yl:Math.abs(Math.floor(e.y)%2)===1?e.y=Math.ceil(e.y)-e.y:e.y-=Math.floor(e.y)}return this.flipY&&(e.y=1-e.y),e}set needsUpdate(e){e===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(e){e===!0&&this.pmremVersion++}};Df.DEFAULT_IMAGE=null,Df.DEFAULT_MAPPING=300,Df.DEFAULT_ANISOTROPY=1;var Of=class{static{this.prototype.isVector4=!0}constructor(e=0,t=0,n=0,r=1){this.x=e,this.y=t,this.z=n,this.w=r}get width(){return this.z}set width(e){this.z=e}get height(){return this.w}set height(e){this.w=e}set(e,t,n,r){return this.x=e,this.y=t,this.z=n,this.w=r,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this.w=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setW(e){return this.w=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;case 3:this.w=t;break;default:throw Error(`THREE.Vector4: index is out of range: `+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw Error(`THREE.Vector4: index is out of range: `+e)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this.w=e.w===void 0?1:e.w,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this.w+=e.w,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this.w+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this.w=e.w+t.w,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this.w+=e.w*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this.w-=e.w,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this.w-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this.w=e.w-t.w,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this.w*=e.w,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this.w*=e,this}applyMatrix4(e){let t=this.x,n=this.y,r=this.z,i=this.w,a=e.elements;return this.x=a[0]*t+a[4]*n+a[8]*r+a[12]*i,this.y=a[1]*t+a[5]*n+a[9]*r+a[13]*i,this.z=a[2]*t+a[6]*n+a[10]*r+a[14]*i,this.w=a[3]*t+a[7]*n+a[11]*r+a[15]*i,this}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this.w/=e.w,this}divideScalar(e){return this.multiplyScalar(1/e)}setAxisAngleFromQuaternion(e){this.w=2*Math.acos(e.w);let t=Math.sqrt(1-e.w*e.w);return t<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=e.x/t,this.y=e.y/t,this.z=e.z/t),this}setAxisAngleFromRotationMatrix(e){let t,n,r,i,a=.01,o=.1,s=e.elements,c=s[0],l=s[4],u=s[8],d=s[1],f=s[5],p=s[9],m=s[2],h=s[6],g=s[10];if(Math.abs(l-d)<a&&Math.abs(u-m)<a&&Math.abs(p-h)<a){if(Math.abs(l+d)<o&&Math.abs(u+m)<o&&Math.abs(p+h)<o&&Math.abs(c+f+g-3)<o)return this.set(1,0,0,0),this;t=Math.PI;let e=(c+1)/2,s=(f+1)/2,_=(g+1)/2,v=(l+d)/4,y=(u+m)/4,b=(p+h)/4;return e>s&&e>_?e<a?(n=0,r=.707106781,i=.707106781):(n=Math.sqrt(e),r=v/n,i=y/n):s>_?s<a?(n=.707106781,r=0,i=.707106781):(r=Math.sqrt(s),n=v/r,i=b/r):_<a?(n=.707106781,r=.707106781,i=0):(i=Math.sqrt(_),n=y/i,r=b/i),this.set(n,r,i,t),this}let _=Math.sqrt((h-p)*(h-p)+(u-m)*(u-m)+(d-l)*(d-l));return Math.abs(_)<.001&&(_=1),this.x=(h-p)/_,this.y=(u-m)/_,this.z=(d-l)/_,this.w=Math.acos((c+f+g-1)/2),this}setFromMatrixPosition(e){let t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this.w=t[15],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this.w=Math.min(this.w,e.w),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this.w=Math.max(this.w,e.w),this}clamp(e,t){return this.x=zd(this.x,e.x,t.x),this.y=zd(this.y,e.y,t.y),this.z=zd(this.z,e.z,t.z),this.w=zd(this.w,e.w,t.w),this}clampScalar(e,t){return this.x=zd(this.x,e,t),this.y=zd(this.y,e,t),this.z=zd(this.z,e,t),this.w=zd(this.w,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(zd(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z+this.w*e.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this.w+=(e.w-this.w)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this.z=e.z+(t.z-e.z)*n,this.w=e.w+(t.w-e.w)*n,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z&&e.w===this.w}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this.w=e[t+3],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e[t+3]=this.w,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this.w=e.getW(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}},kf=class extends Nd{constructor(e=1,t=1,n={}){super(),n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:$l,depthBuffer:!0,stencilBuffer:!1,resolveColorBuffer:!0,resolveDepthBuffer:!0,resolveStencilBuffer:!0,storeMultisampledColorBuffer:!0,storeMultisampledDepthBuffer:!0,storeMultisampledStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1,useArrayDepthTexture:!1},n),this.isRenderTarget=!0,this.width=e,this.height=t,this.depth=n.depth,this.scissor=new Of(0,0,e,t),this.scissorTest=!1,this.viewport=new Of(0,0,e,t),this.textures=[];let r=n.count;for(let i=0;i<r;i++)this.textures[i]=new Df({width:e,height:t,depth:n.depth}),this.textures[i].isRenderTargetTexture=!0,this.textures[i].renderTarget=this;this._setTextureOptions(n),this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveColorBuffer=n.resolveColorBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this.storeMultisampledColorBuffer=n.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=n.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=n.storeMultisampledStencilBuffer,this._depthTexture=null,this.depthTexture=n.depthTexture,this.samples=n.samples,this.multiview=n.multiview,this.useArrayDepthTexture=n.useArrayDepthTexture}_setTextureOptions(e={}){let t={minFilter:$l,generateMipmaps:!1,flipY:!1,internalFormat:null};e.mapping!==void 0&&(t.mapping=e.mapping),e.wrapS!==void 0&&(t.wrapS=e.wrapS),e.wrapT!==void 0&&(t.wrapT=e.wrapT),e.wrapR!==void 0&&(t.wrapR=e.wrapR),e.magFilter!==void 0&&(t.magFilter=e.magFilter),e.minFilter!==void 0&&(t.minFilter=e.minFilter),e.format!==void 0&&(t.format=e.format),e.type!==void 0&&(t.type=e.type),e.anisotropy!==void 0&&(t.anisotropy=e.anisotropy),e.colorSpace!==void 0&&(t.colorSpace=e.colorSpace),e.flipY!==void 0&&(t.flipY=e.flipY),e.generateMipmaps!==void 0&&(t.generateMipmaps=e.generateMipmaps),e.mipmapsAutoUpdate!==void 0&&(t.mipmapsAutoUpdate=e.mipmapsAutoUpdate),e.internalFormat!==void 0&&(t.internalFormat=e.internalFormat);for(let e=0;e<this.textures.length;e++)this.textures[e].setValues(t)}get texture(){return this.textures[0]}set texture(e){this.textures[0]=e}set depthTexture(e){this._depthTexture!==null&&this._depthTexture.renderTarget===this&&(this._depthTexture.renderTarget=null),e!==null&&e.renderTarget===null&&(e.renderTarget=this),this._depthTexture=e}get depthTexture(){return this._depthTexture}setSize(e,t,n=1){if(this.width!==e||this.height!==t||this.depth!==n){this.width=e,this.height=t,this.depth=n;for(let r=0,i=this.textures.length;r<i;r++)this.textures[r].image.width=e,this.textures[r].image.height=t,this.textures[r].image.depth=n,this.textures[r].isData3DTexture!==!0&&(this.textures[r].isArrayTexture=this.textures[r].image.depth>1);this.dispose()}this.viewport.set(0,0,e,t),this.scissor.set(0,0,e,t)}clone(){return new this.constructor().copy(this)}copy(e){this.width=e.width,this.height=e.height,this.depth=e.depth,this.scissor.copy(e.scissor),this.scissorTest=e.scissorTest,this.viewport.copy(e.viewport),this.textures.length=0;for(let t=0,n=e.textures.length;t<n;t++){this.textures[t]=e.textures[t].clone(),this.textures[t].isRenderTargetTexture=!0,this.textures[t].renderTarget=this;let n=Object.assign({},e.textures[t].image);this.textures[t].source=new Cf(n)}if(this.depthBuffer=e.depthBuffer,this.stencilBuffer=e.stencilBuffer,this.resolveColorBuffer=e.resolveColorBuffer,this.resolveDepthBuffer=e.resolveDepthBuffer,this.resolveStencilBuffer=e.resolveStencilBuffer,this.storeMultisampledColorBuffer=e.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=e.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=e.storeMultisampledStencilBuffer,e.depthTexture!==null){if(e.depthTexture.renderTarget===e){let t=e.depthTexture.clone();t.renderTarget=null,this.depthTexture=t}else this.depthTexture=e.depthTexture}else this.depthTexture=null;return this.samples=e.samples,this.multiview=e.multiview,this.useArrayDepthTexture=e.useArrayDepthTexture,this}dispose(){this.dispatchEvent({type:`dispose`})}},Af=class extends kf{constructor(e=1,t=1,n={}){super(e,t,n),this.isWebGLRenderTarget=!0}},jf=class extends Df{constructor(e=null,t=1,n=1,r=1){super(null),this.isDataArrayTexture=!0,this.image={data:e,width:t,height:n,depth:r},this.magFilter=Xl,this.minFilter=Xl,this.wrapR=Jl,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}addLayerUpdate(e){this.layerUpdates.add(e)}clearLayerUpdates(){this.layerUpdates.clear()}},Mf=class extends Df{constructor(e=null,t=1,n=1,r=1){super(null),this.isData3DTexture=!0,this.image={data:e,width:t,height:n,depth:r},this.magFilter=Xl,this.minFilter=Xl,this.wrapR=Jl,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}},Nf=class e{static{this.prototype.isMatrix4=!0}constructor(e,t,n,r,i,a,o,s,c,l,u,d,f,p,m,h){this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],e!==void 0&&this.set(e,t,n,r,i,a,o,s,c,l,u,d,f,p,m,h)}set(e,t,n,r,i,a,o,s,c,l,u,d,f,p,m,h){let g=this.elements;return g[0]=e,g[4]=t,g[8]=n,g[12]=r,g[1]=i,g[5]=a,g[9]=o,g[13]=s,g[2]=c,g[6]=l,g[10]=u,g[14]=d,g[3]=f,g[7]=p,g[11]=m,g[15]=h,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new e().fromArray(this.elements)}copy(e){let t=this.elements,n=e.elements;return t[0]=n[0],t[1]=n[1],t[2]=n[2],t[3]=n[3],t[4]=n[4],t[5]=n[5],t[6]=n[6],t[7]=n[7],t[8]=n[8],t[9]=n[9],t[10]=n[10],t[11]=n[11],t[12]=n[12],t[13]=n[13],t[14]=n[14],t[15]=n[15],this}copyPosition(e){let t=this.elements,n=e.elements;return t[12]=n[12],t[13]=n[13],t[14]=n[14],this}setFromMatrix3(e){let t=e.elements;return this.set(t[0],t[3],t[6],0,t[1],t[4],t[7],0,t[2],t[5],t[8],0,0,0,0,1),this}extractBasis(e,t,n){return this.determinantAffine()===0?(e.set(1,0,0),t.set(0,1,0),n.set(0,0,1),this):(e.setFromMatrixColumn(this,0),t.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this)}makeBasis(e,t,n){return this.set(e.x,t.x,n.x,0,e.y,t.y,n.y,0,e.z,t.z,n.z,0,0,0,0,1),this}extractRotation(e){if(e.determinantAffine()===0)return this.identity();let t=this.elements,n=e.elements,r=1/Pf.setFromMatrixColumn(e,0).length(),i=1/Pf.setFromMatrixColumn(e,1).length(),a=1/Pf.setFromMatrixColumn(e,2).length();return t[0]=n[0]*r,t[1]=n[1]*r,t[2]=n[2]*r,t[3]=0,t[4]=n[4]*i,t[5]=n[5]*i,t[6]=n[6]*i,t[7]=0,t[8]=n[8]*a,t[9]=n[9]*a,t[10]=n[10]*a,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromEuler(e){let t=this.elements,n=e.x,r=e.y,i=e.z,a=Math.cos(n),o=Math.sin(n),s=Math.cos(r),c=Math.sin(r),l=Math.cos(i),u=Math.sin(i);if(e.order===`XYZ`){let e=a*l,n=a*u,r=o*l,i=o*u;t[0]=s*l,t[4]=-s*u,t[8]=c,t[1]=n+r*c,t[5]=e-i*c,t[9]=-o*s,t[2]=i-e*c,t[6]=r+n*c,t[10]=a*s}else if(e.order===`YXZ`){let e=s*l,n=s*u,r=c*l,i=c*u;t[0]=e+i*o,t[4]=r*o-n,t[8]=a*c,t[1]=a*u,t[5]=a*l,t[9]=-o,t[2]=n*o-r,t[6]=i+e*o,t[10]=a*s}else if(e.order===`ZXY`){let e=s*l,n=s*u,r=c*l,i=c*u;t[0]=e-i*o,t[4]=-a*u,t[8]=r+n*o,t[1]=n+r*o,t[5]=a*l,t[9]=i-e*o,t[2]=-a*c,t[6]=o,t[10]=a*s}else if(e.order===`ZYX`){let e=a*l,n=a*u,r=o*l,i=o*u;t[0]=s*l,t[4]=r*c-n,t[8]=e*c+i,t[1]=s*u,t[5]=i*c+e,t[9]=n*c-r,t[2]=-c,t[6]=o*s,t[10]=a*s}else if(e.order===`YZX`){let e=a*s,n=a*c,r=o*s,i=o*c;t[0]=s*l,t[4]=i-e*u,t[8]=r*u+n,t[1]=u,t[5]=a*l,t[9]=-o*l,t[2]=-c*l,t[6]=n*u+r,t[10]=e-i*u}else if(e.order===`XZY`){let e=a*s,n=a*c,r=o*s,i=o*c;t[0]=s*l,t[4]=-u,t[8]=c*l,t[1]=e*u+i,t[5]=a*l,t[9]=n*u-r,t[2]=r*u-n,t[6]=o*l,t[10]=i*u+e}return t[3]=0,t[7]=0,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromQuaternion(e){return this.compose(If,e,Lf)}lookAt(e,t,n){let r=this.elements;return Bf.subVectors(e,t),Bf.lengthSq()===0&&(Bf.z=1),Bf.normalize(),Rf.crossVectors(n,Bf),Rf.lengthSq()===0&&(Math.abs(n.z)===1?Bf.x+=1e-4:Bf.z+=1e-4,Bf.normalize(),Rf.crossVectors(n,Bf)),Rf.normalize(),zf.crossVectors(Bf,Rf),r[0]=Rf.x,r[4]=zf.x,r[8]=Bf.x,r[1]=Rf.y,r[5]=zf.y,r[9]=Bf.y,r[2]=Rf.z,r[6]=zf.z,r[10]=Bf.z,this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){let n=e.elements,r=t.elements,i=this.elements,a=n[0],o=n[4],s=n[8],c=n[12],l=n[1],u=n[5],d=n[9],f=n[13],p=n[2],m=n[6],h=n[10],g=n[14],_=n[3],v=n[7],y=n[11],b=n[15],x=r[0],S=r[4],C=r[8],w=r[12],T=r[1],E=r[5],D=r[9],O=r[13],k=r[2],A=r[6],j=r[10],M=r[14],N=r[3],ee=r[7],te=r[11],P=r[15];return i[0]=a*x+o*T+s*k+c*N,i[4]=a*S+o*E+s*A+c*ee,i[8]=a*C+o*D+s*j+c*te,i[12]=a*w+o*O+s*M+c*P,i[1]=l*x+u*T+d*k+f*N,i[5]=l*S+u*E+d*A+f*ee,i[9]=l*C+u*D+d*j+f*te,i[13]=l*w+u*O+d*M+f*P,i[2]=p*x+m*T+h*k+g*N,i[6]=p*S+m*E+h*A+g*ee,i[10]=p*C+m*D+h*j+g*te,i[14]=p*w+m*O+h*M+g*P,i[3]=_*x+v*T+y*k+b*N,i[7]=_*S+v*E+y*A+b*ee,i[11]=_*C+v*D+y*j+b*te,i[15]=_*w+v*O+y*M+b*P,this}multiplyScalar(e){let t=this.elements;return t[0]*=e,t[4]*=e,t[8]*=e,t[12]*=e,t[1]*=e,t[5]*=e,t[9]*=e,t[13]*=e,t[2]*=e,t[6]*=e,t[10]*=e,t[14]*=e,t[3]*=e,t[7]*=e,t[11]*=e,t[15]*=e,this}determinant(){let e=this.elements,t=e[0],n=e[4],r=e[8],i=e[12],a=e[1],o=e[5],s=e[9],c=e[13],l=e[2],u=e[6],d=e[10],f=e[14],p=e[3],m=e[7],h=e[11],g=e[15],_=s*f-c*d,v=o*f-c*u,y=o*d-s*u,b=a*f-c*l,x=a*d-s*l,S=a*u-o*l;return t*(m*_-h*v+g*y)-n*(p*_-h*b+g*x)+r*(p*v-m*b+g*S)-i*(p*y-m*x+h*S)}determinantAffine(){let e=this.elements,t=e[0],n=e[4],r=e[8],i=e[1],a=e[5],o=e[9],s=e[2],c=e[6],l=e[10];return t*(a*l-o*c)-n*(i*l-o*s)+r*(i*c-a*s)}transpose(){let e=this.elements,t;return t=e[1],e[1]=e[4],e[4]=t,t=e[2],e[2]=e[8],e[8]=t,t=e[6],e[6]=e[9],e[9]=t,t=e[3],e[3]=e[12],e[12]=t,t=e[7],e[7]=e[13],e[13]=t,t=e[11],e[11]=e[14],e[14]=t,this}setPosition(e,t,n){let r=this.elements;return e.isVector3?(r[12]=e.x,r[13]=e.y,r[14]=e.z):(r[12]=e,r[13]=t,r[14]=n),this}invert(){let e=this.elements,t=e[0],n=e[1],r=e[2],i=e[3],a=e[4],o=e[5],s=e[6],c=e[7],l=e[8],u=e[9],d=e[10],f=e[11],p=e[12],m=e[13],h=e[14],g=e[15],_=t*o-n*a,v=t*s-r*a,y=t*c-i*a,b=n*s-r*o,x=n*c-i*o,S=r*c-i*s,C=l*m-u*p,w=l*h-d*p,T=l*g-f*p,E=u*h-d*m,D=u*g-f*m,O=d*g-f*h,k=_*O-v*D+y*E+b*T-x*w+S*C;if(k===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);let A=1/k;return e[0]=(o*O-s*D+c*E)*A,e[1]=(r*D-n*O-i*E)*A,e[2]=(m*S-h*x+g*b)*A,e[3]=(d*x-u*S-f*b)*A,e[4]=(s*T-a*O-c*w)*A,e[5]=(t*O-r*T+i*w)*A,e[6]=(h*y-p*S-g*v)*A,e[7]=(l*S-d*y+f*v)*A,e[8]=(a*D-o*T+c*C)*A,e[9]=(n*T-t*D-i*C)*A,e[10]=(p*x-m*y+g*_)*A,e[11]=(u*y-l*x-f*_)*A,e[12]=(o*w-a*E-s*C)*A,e[13]=(t*E-n*w+r*C)*A,e[14]=(m*v-p*b-h*_)*A,e[15]=(l*b-u*v+d*_)*A,this}scale(e){let t=this.elements,n=e.x,r=e.y,i=e.z;return t[0]*=n,t[4]*=r,t[8]*=i,t[1]*=n,t[5]*=r,t[9]*=i,t[2]*=n,t[6]*=r,t[10]*=i,t[3]*=n,t[7]*=r,t[11]*=i,this}getMaxScaleOnAxis(){let e=this.elements,t=e[0]*e[0]+e[1]*e[1]+e[2]*e[2],n=e[4]*e[4]+e[5]*e[5]+e[6]*e[6],r=e[8]*e[8]+e[9]*e[9]+e[10]*e[10];return Math.sqrt(Math.max(t,n,r))}makeTranslation(e,t,n){return e.isVector3?this.set(1,0,0,e.x,0,1,0,e.y,0,0,1,e.z,0,0,0,1):this.set(1,0,0,e,0,1,0,t,0,0,1,n,0,0,0,1),this}makeRotationX(e){let t=Math.cos(e),n=Math.sin(e);return this.set(1,0,0,0,0,t,-n,0,0,n,t,0,0,0,0,1),this}makeRotationY(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,0,n,0,0,1,0,0,-n,0,t,0,0,0,0,1),this}makeRotationZ(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,-n,0,0,n,t,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(e,t){let n=Math.cos(t),r=Math.sin(t),i=1-n,a=e.x,o=e.y,s=e.z,c=i*a,l=i*o;return this.set(c*a+n,c*o-r*s,c*s+r*o,0,c*o+r*s,l*o+n,l*s-r*a,0,c*s-r*o,l*s+r*a,i*s*s+n,0,0,0,0,1),this}makeScale(e,t,n){return this.set(e,0,0,0,0,t,0,0,0,0,n,0,0,0,0,1),this}makeShear(e,t,n,r,i,a){return this.set(1,n,i,0,e,1,a,0,t,r,1,0,0,0,0,1),this}compose(e,t,n){let r=this.elements,i=t._x,a=t._y,o=t._z,s=t._w,c=i+i,l=a+a,u=o+o,d=i*c,f=i*l,p=i*u,m=a*l,h=a*u,g=o*u,_=s*c,v=s*l,y=s*u,b=n.x,x=n.y,S=n.z;return r[0]=(1-(m+g))*b,r[1]=(f+y)*b,r[2]=(p-v)*b,r[3]=0,r[4]=(f-y)*x,r[5]=(1-(d+g))*x,r[6]=(h+_)*x,r[7]=0,r[8]=(p+v)*S,r[9]=(h-_)*S,r[10]=(1-(d+m))*S,r[11]=0,r[12]=e.x,r[13]=e.y,r[14]=e.z,r[15]=1,this}decompose(e,t,n){let r=this.elements;e.x=r[12],e.y=r[13],e.z=r[14];let i=this.determinantAffine();if(i===0)return n.set(1,1,1),t.identity(),this;let a=Pf.set(r[0],r[1],r[2]).length(),o=Pf.set(r[4],r[5],r[6]).length(),s=Pf.set(r[8],r[9],r[10]).length();i<0&&(a=-a),Ff.copy(this);let c=1/a,l=1/o,u=1/s;return Ff.elements[0]*=c,Ff.elements[1]*=c,Ff.elements[2]*=c,Ff.elements[4]*=l,Ff.elements[5]*=l,Ff.elements[6]*=l,Ff.elements[8]*=u,Ff.elements[9]*=u,Ff.elements[10]*=u,t.setFromRotationMatrix(Ff),n.x=a,n.y=o,n.z=s,this}makePerspective(e,t,n,r,i,a,o=xd,s=!1){let c=this.elements,l=2*i/(t-e),u=2*i/(n-r),d=(t+e)/(t-e),f=(n+r)/(n-r),p,m;if(s)p=i/(a-i),m=a*i/(a-i);else if(o===2e3)p=-(a+i)/(a-i),m=-2*a*i/(a-i);else if(o===2001)p=-a/(a-i),m=-a*i/(a-i);else throw Error(`THREE.Matrix4.makePerspective(): Invalid coordinate system: `+o);return c[0]=l,c[4]=0,c[8]=d,c[12]=0,c[1]=0,c[5]=u,c[9]=f,c[13]=0,c[2]=0,c[6]=0,c[10]=p,c[14]=m,c[3]=0,c[7]=0,c[11]=-1,c[15]=0,this}makeOrthographic(e,t,n,r,i,a,o=xd,s=!1){let c=this.elements,l=2/(t-e),u=2/(n-r),d=-(t+e)/(t-e),f=-(n+r)/(n-r),p,m;if(s)p=1/(a-i),m=a/(a-i);else if(o===2e3)p=-2/(a-i),m=-(a+i)/(a-i);else if(o===2001)p=-1/(a-i),m=-i/(a-i);else throw Error(`THREE.Matrix4.makeOrthographic(): Invalid coordinate system: `+o);return c[0]=l,c[4]=0,c[8]=0,c[12]=d,c[1]=0,c[5]=u,c[9]=0,c[13]=f,c[2]=0,c[6]=0,c[10]=p,c[14]=m,c[3]=0,c[7]=0,c[11]=0,c[15]=1,this}equals(e){let t=this.elements,n=e.elements;for(let e=0;e<16;e++)if(t[e]!==n[e])return!1;return!0}fromArray(e,t=0){for(let n=0;n<16;n++)this.elements[n]=e[n+t];return this}toArray(e=[],t=0){let n=this.elements;return e[t]=n[0],e[t+1]=n[1],e[t+2]=n[2],e[t+3]=n[3],e[t+4]=n[4],e[t+5]=n[5],e[t+6]=n[6],e[t+7]=n[7],e[t+8]=n[8],e[t+9]=n[9],e[t+10]=n[10],e[t+11]=n[11],e[t+12]=n[12],e[t+13]=n[13],e[t+14]=n[14],e[t+15]=n[15],e}},Pf=new Z,Ff=new Nf,If=new Z(0,0,0),Lf=new Z(1,1,1),Rf=new Z,zf=new Z,Bf=new Z,Vf=new Nf,Hf=new lf,Uf=class e{constructor(t=0,n=0,r=0,i=e.DEFAULT_ORDER){this.isEuler=!0,this._x=t,this._y=n,this._z=r,this._order=i}get x(){return this._x}set x(e){this._x=e,this._onChangeCallback()}get y(){return this._y}set y(e){this._y=e,this._onChangeCallback()}get z(){return this._z}set z(e){this._z=e,this._onChangeCallback()}get order(){return this._order}set order(e){this._order=e,this._onChangeCallback()}set(e,t,n,r=this._order){return this._x=e,this._y=t,this._z=n,this._order=r,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(e){return this._x=e._x,this._y=e._y,this._z=e._z,this._order=e._order,this._onChangeCallback(),this}setFromRotationMatrix(e,t=this._order,n=!0){let r=e.elements,i=r[0],a=r[4],o=r[8],s=r[1],c=r[5],l=r[9],u=r[2],d=r[6],f=r[10];switch(t){case`XYZ`:this._y=Math.asin(zd(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(-l,f),this._z=Math.atan2(-a,i)):(this._x=Math.atan2(d,c),this._z=0);break;case`YXZ`:this._x=Math.asin(-zd(l,-1,1)),Math.abs(l)<.9999999?(this._y=Math.atan2(o,f),this._z=Math.atan2(s,c)):(this._y=Math.atan2(-u,i),this._z=0);break;case`ZXY`:this._x=Math.asin(zd(d,-1,1)),Math.abs(d)<.9999999?(this._y=Math.atan2(-u,f),this._z=Math.atan2(-a,c)):(this._y=0,this._z=Math.atan2(s,i));break;case`ZYX`:this._y=Math.asin(-zd(u,-1,1)),Math.abs(u)<.9999999?(this._x=Math.atan2(d,f),this._z=Math.atan2(s,i)):(this._x=0,this._z=Math.atan2(-a,c));break;case`YZX`:this._z=Math.asin(zd(s,-1,1)),Math.abs(s)<.9999999?(this._x=Math.atan2(-l,c),this._y=Math.atan2(-u,i)):(this._x=0,this._y=Math.atan2(o,f));break;case`XZY`:this._z=Math.asin(-zd(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(d,c),this._y=Math.atan2(o,i)):(this._x=Math.atan2(-l,f),this._y=0);break;default:Y(`Euler: .setFromRotationMatrix() encountered an unknown order: `+t)}return this._order=t,n===!0&&this._onChangeCallback(),this}setFromQuaternion(e,t,n){return Vf.makeRotationFromQuaternion(e),this.setFromRotationMatrix(Vf,t,n)}setFromVector3(e,t=this._order){return this.set(e.x,e.y,e.z,t)}reorder(e){return Hf.setFromEuler(this),this.setFromQuaternion(Hf,e)}equals(e){return e._x===this._x&&e._y===this._y&&e._z===this._z&&e._order===this._order}fromArray(e){return this._x=e[0],this._y=e[1],this._z=e[2],e[3]!==void 0&&(this._order=e[3]),this._onChangeCallback(),this}toArray(e=[],t=0){return e[t]=this._x,e[t+1]=this._y,e[t+2]=this._z,e[t+3]=this._order,e}_onChange(e){return this._onChangeCallback=e,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}};Uf.DEFAULT_ORDER=`XYZ`;var Wf=class{constructor(){this.mask=1}set(e){this.mask=1<<e>>>0}enable(e){this.mask|=1<<e}enableAll(){this.mask=-1}toggle(e){this.mask^=1<<e}disable(e){this.mask&=~(1<<e)}disableAll(){this.mask=0}test(e){return(this.mask&e.mask)!==0}isEnabled(e){return!!(this.mask&1<<e)}},Gf=0,Kf=new Z,qf=new lf,Jf=new Nf,Yf=new Z,Xf=new Z,Zf=new Z,Qf=new lf,$f=new Z(1,0,0),ep=new Z(0,1,0),tp=new Z(0,0,1),np={type:`added`},rp={type:`removed`},ip={type:`childadded`,child:null},ap={type:`childremoved`,child:null},op=class e extends Nd{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:Gf++}),this.uuid=Rd(),this.name=``,this.type=`Object3D`,this.parent=null,this.children=[],this.up=e.DEFAULT_UP.clone();let t=new Z,n=new Uf,r=new lf,i=new Z(1,1,1);function a(){r.setFromEuler(n,!1)}function o(){n.setFromQuaternion(r,void 0,!1)}n._onChange(a),r._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:t},rotation:{configurable:!0,enumerable:!0,value:n},quaternion:{configurable:!0,enumerable:!0,value:r},scale:{configurable:!0,enumerable:!0,value:i},modelViewMatrix:{value:new Nf},normalMatrix:{value:new ff}}),this.matrix=new Nf,this.matrixWorld=new Nf,this.matrixAutoUpdate=e.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=e.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new Wf,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.static=!1,this.userData={},this.pivot=null}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(e){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(e),this.matrix.decompose(this.position,this.quaternion,this.scale),this.pivot!==null&&this.position.copy(this.pivot).applyMatrix4(this.matrix).sub(this.pivot)}applyQuaternion(e){return this.quaternion.premultiply(e),this}setRotationFromAxisAngle(e,t){this.quaternion.setFromAxisAngle(e,t)}setRotationFromEuler(e){this.quaternion.setFromEuler(e,!0)}setRotationFromMatrix(e){this.quaternion.setFromRotationMatrix(e)}setRotationFromQuaternion(e){this.quaternion.copy(e)}rotateOnAxis(e,t){return qf.setFromAxisAngle(e,t),this.quaternion.multiply(qf),this}rotateOnWorldAxis(e,t){return qf.setFromAxisAngle(e,t),this.quaternion.premultiply(qf),this}rotateX(e){return this.rotateOnAxis($f,e)}rotateY(e){return this.rotateOnAxis(ep,e)}rotateZ(e){return this.rotateOnAxis(tp,e)}translateOnAxis(e,t){return Kf.copy(e).applyQuaternion(this.quaternion),this.position.add(Kf.multiplyScalar(t)),this}translateX(e){return this.translateOnAxis($f,e)}translateY(e){return this.translateOnAxis(ep,e)}translateZ(e){return this.translateOnAxis(tp,e)}localToWorld(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(this.matrixWorld)}worldToLocal(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(Jf.copy(this.matrixWorld).invert())}lookAt(e,t,n){e.isVector3?Yf.copy(e):Yf.set(e,t,n);let r=this.parent;this.updateWorldMatrix(!0,!1),Xf.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?Jf.lookAt(Xf,Yf,this.up):Jf.lookAt(Yf,Xf,this.up),this.quaternion.setFromRotationMatrix(Jf),r&&(Jf.extractRotation(r.matrixWorld),qf.setFromRotationMatrix(Jf),this.quaternion.premultiply(qf.invert()))}add(e){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.add(arguments[e]);return this}return e===this?(kd(`Object3D.add: object can't be added as a child of itself.`,e),this):(e&&e.isObject3D?(e.removeFromParent(),e.parent=this,this.children.push(e),e.dispatchEvent(np),ip.child=e,this.dispatchEvent(ip),ip.child=null):kd(`Object3D.add: object not an instance of THREE.Object3D.`,e),this)}remove(e){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.remove(arguments[e]);return this}let t=this.children.indexOf(e);return t!==-1&&(e.parent=null,this.children.splice(t,1),e.dispatchEvent(rp),ap.child=e,this.dispatchEvent(ap),ap.child=null),this}removeFromParent(){let e=this.parent;return e!==null&&e.remove(this),this}clear(){return this.remove(...this.children)}attach(e){return this.updateWorldMatrix(!0,!1),Jf.copy(this.matrixWorld).invert(),e.parent!==null&&(e.parent.updateWorldMatrix(!0,!1),Jf.multiply(e.parent.matrixWorld)),e.applyMatrix4(Jf),e.removeFromParent(),e.parent=this,this.children.push(e),e.updateWorldMatrix(!1,!0),e.dispatchEvent(np),ip.child=e,this.dispatchEvent(ip),ip.child=null,this}getObjectById(e){return this.getObjectByProperty(`id`,e)}getObjectByName(e){return this.getObjectByProperty(`name`,e)}getObjectByProperty(e,t){if(this[e]===t)return this;for(let n=0,r=this.children.length;n<r;n++){let r=this.children[n].getObjectByProperty(e,t);if(r!==void 0)return r}}getObjectsByProperty(e,t,n=[]){this[e]===t&&n.push(this);let r=this.children;for(let i=0,a=r.length;i<a;i++)r[i].getObjectsByProperty(e,t,n);return n}getWorldPosition(e){return this.updateWorldMatrix(!0,!1),e.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Xf,e,Zf),e}getWorldScale(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Xf,Qf,e),e}getWorldDirection(e){this.updateWorldMatrix(!0,!1);let t=this.matrixWorld.elements;return e.set(t[8],t[9],t[10]).normalize()}raycast(){}intersectsFrustum(){return!0}traverse(e){e(this);let t=this.children;for(let n=0,r=t.length;n<r;n++)t[n].traverse(e)}traverseVisible(e){if(this.visible===!1)return;e(this);let t=this.children;for(let n=0,r=t.length;n<r;n++)t[n].traverseVisible(e)}traverseAncestors(e){let t=this.parent;t!==null&&(e(t),t.traverseAncestors(e))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale);let e=this.pivot;if(e!==null){let t=e.x,n=e.y,r=e.z,i=this.matrix.elements;i[12]+=t-i[0]*t-i[4]*n-i[8]*r,i[13]+=n-i[1]*t-i[5]*n-i[9]*r,i[14]+=r-i[2]*t-i[6]*n-i[10]*r}this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(e){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||e)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,e=!0);let t=this.children;for(let n=0,r=t.length;n<r;n++)t[n].updateMatrixWorld(e)}updateWorldMatrix(e,t,n=!1){let r=this.parent;if(e===!0&&r!==null&&r.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||n)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,n=!0),t===!0){let e=this.children;for(let t=0,r=e.length;t<r;t++)e[t].updateWorldMatrix(!1,!0,n)}}toJSON(e){let t=e===void 0||typeof e==`string`,n={};t&&(e={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},n.metadata={version:4.7,type:`Object`,generator:`Object3D.toJSON`});let r={};r.uuid=this.uuid,r.type=this.type,r.name=this.name,r.castShadow=this.castShadow,r.receiveShadow=this.receiveShadow,r.visible=this.visible,r.frustumCulled=this.frustumCulled,r.renderOrder=this.renderOrder,r.static=this.static,r.matrixAutoUpdate=this.matrixAutoUpdate,Object.keys(this.userData).length>0&&(r.userData=this.userData),r.layers=this.layers.mask,r.matrix=this.matrix.toArray(),r.up=this.up.toArray(),this.pivot!==null&&(r.pivot=this.pivot.toArray()),this.morphTargetDictionary!==void 0&&(r.morphTargetDictionary=Object.assign({},this.morphTargetDictionary)),this.morphTargetInfluences!==void 0&&(r.morphTargetInfluences=this.morphTargetInfluences.slice()),this.isInstancedMesh&&(r.type=`InstancedMesh`,r.count=this.count,r.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(r.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(r.type=`BatchedMesh`,r.perObjectFrustumCulled=this.perObjectFrustumCulled,r.sortObjects=this.sortObjects,r.drawRanges=this._drawRanges,r.reservedRanges=this._reservedRanges,r.geometryInfo=this._geometryInfo.map(e=>({...e,boundingBox:e.boundingBox?e.boundingBox.toJSON():void 0,boundingSphere:e.boundingSphere?e.boundingSphere.toJSON():void 0})),r.instanceInfo=this._instanceInfo.map(e=>({...e})),r.availableInstanceIds=this._availableInstanceIds.slice(),r.availableGeometryIds=this._availableGeometryIds.slice(),r.nextIndexStart=this._nextIndexStart,r.nextVertexStart=this._nextVertexStart,r.geometryCount=this._geometryCount,r.maxInstanceCount=this._maxInstanceCount,r.maxVertexCount=this._maxVertexCount,r.maxIndexCount=this._maxIndexCount,r.geometryInitialized=this._geometryInitialized,r.matricesTexture=this._matricesTexture.toJSON(e),r.indirectTexture=this._indirectTexture.toJSON(e),this._colorsTexture!==null&&(r.colorsTexture=this._colorsTexture.toJSON(e)),this.boundingSphere!==null&&(r.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(r.boundingBox=this.boundingBox.toJSON()));function i(t,n){return t[n.uuid]===void 0&&(t[n.uuid]=n.toJSON(e)),n.uuid}if(this.isScene)this.background&&(this.background.isColor?r.background=this.background.toJSON():this.background.isTexture&&(r.background=this.background.toJSON(e).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(r.environment=this.environment.toJSON(e).uuid);else if(this.isMesh||this.isLine||this.isPoints){r.geometry=i(e.geometries,this.geometry);let t=this.geometry.parameters;if(t!==void 0&&t.shapes!==void 0){let n=t.shapes;if(Array.isArray(n))for(let t=0,r=n.length;t<r;t++){let r=n[t];i(e.shapes,r)}else i(e.shapes,n)}}if(this.isSkinnedMesh&&(r.bindMode=this.bindMode,r.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(i(e.skeletons,this.skeleton),r.skeleton=this.skeleton.uuid)),this.material!==void 0){if(Array.isArray(this.material)){let t=[];for(let n=0,r=this.material.length;n<r;n++)t.push(i(e.materials,this.material[n]));r.material=t}else r.material=i(e.materials,this.material)}if(this.children.length>0){r.children=[];for(let t=0;t<this.children.length;t++)r.children.push(this.children[t].toJSON(e).object)}if(this.animations.length>0){r.animations=[];for(let t=0;t<this.animations.length;t++){let n=this.animations[t];r.animations.push(i(e.animations,n))}}if(t){let t=a(e.geometries),r=a(e.materials),i=a(e.textures),o=a(e.images),s=a(e.shapes),c=a(e.skeletons),l=a(e.animations),u=a(e.nodes);t.length>0&&(n.geometries=t),r.length>0&&(n.materials=r),i.length>0&&(n.textures=i),o.length>0&&(n.images=o),s.length>0&&(n.shapes=s),c.length>0&&(n.skeletons=c),l.length>0&&(n.animations=l),u.length>0&&(n.nodes=u)}return n.object=r,n;function a(e){let t=[];for(let n in e){let r=e[n];delete r.metadata,t.push(r)}return t}}clone(e){return new this.constructor().copy(this,e)}copy(e,t=!0){if(this.name=e.name,this.up.copy(e.up),this.position.copy(e.position),this.rotation.order=e.rotation.order,this.quaternion.copy(e.quaternion),this.scale.copy(e.scale),this.pivot=e.pivot===null?null:e.pivot.clone(),this.matrix.copy(e.matrix),this.matrixWorld.copy(e.matrixWorld),this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrixWorldAutoUpdate=e.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=e.matrixWorldNeedsUpdate,this.layers.mask=e.layers.mask,this.visible=e.visible,this.castShadow=e.castShadow,this.receiveShadow=e.receiveShadow,this.frustumCulled=e.frustumCulled,this.renderOrder=e.renderOrder,this.static=e.static,this.animations=e.animations.slice(),this.userData=JSON.parse(JSON.stringify(e.userData)),t===!0)for(let t=0;t<e.children.length;t++){let n=e.children[t];this.add(n.clone())}return this}dispose(){this.dispatchEvent({type:`dispose`})}};op.DEFAULT_UP=new Z(0,1,0),op.DEFAULT_MATRIX_AUTO_UPDATE=!0,op.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;var sp=class extends op{constructor(){super(),this.isGroup=!0,this.type=`Group`}},cp={type:`move`},lp=class{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new sp,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new sp,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new Z,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new Z),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new sp,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new Z,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new Z,this._grip.eventsEnabled=!1),this._grip}dispatchEvent(e){return this._targetRay!==null&&this._targetRay.dispatchEvent(e),this._grip!==null&&this._grip.dispatchEvent(e),this._hand!==null&&this._hand.dispatchEvent(e),this}connect(e){if(e&&e.hand){let t=this._hand;if(t)for(let n of e.hand.values())this._getHandJoint(t,n)}return this.dispatchEvent({type:`connected`,data:e}),this}disconnect(e){return this.dispatchEvent({type:`disconnected`,data:e}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(e,t,n){let r=null,i=null,a=null,o=this._targetRay,s=this._grip,c=this._hand;if(e&&t.session.visibilityState!==`visible-blurred`){if(c&&e.hand){a=!0;for(let r of e.hand.values()){let e=t.getJointPose(r,n),i=this._getHandJoint(c,r);e!==null&&(i.matrix.fromArray(e.transform.matrix),i.matrix.decompose(i.position,i.quaternion,i.scale),i.matrixWorldNeedsUpdate=!0,i.jointRadius=e.radius),i.visible=e!==null}let r=c.joints[`index-finger-tip`],i=c.joints[`thumb-tip`],o=r.position.distanceTo(i.position);c.inputState.pinching&&o>.025?(c.inputState.pinching=!1,this.dispatchEvent({type:`pinchend`,handedness:e.handedness,target:this})):!c.inputState.pinching&&o<=.015&&(c.inputState.pinching=!0,this.dispatchEvent({type:`pinchstart`,handedness:e.handedness,target:this}))}else s!==null&&e.gripSpace&&(i=t.getPose(e.gripSpace,n),i!==null&&(s.matrix.fromArray(i.transform.matrix),s.matrix.decompose(s.position,s.quaternion,s.scale),s.matrixWorldNeedsUpdate=!0,i.linearVelocity?(s.hasLinearVelocity=!0,s.linearVelocity.copy(i.linearVelocity)):s.hasLinearVelocity=!1,i.angularVelocity?(s.hasAngularVelocity=!0,s.angularVelocity.copy(i.angularVelocity)):s.hasAngularVelocity=!1,s.eventsEnabled&&s.dispatchEvent({type:`gripUpdated`,data:e,target:this})));o!==null&&(r=t.getPose(e.targetRaySpace,n),r===null&&i!==null&&(r=i),r!==null&&(o.matrix.fromArray(r.transform.matrix),o.matrix.decompose(o.position,o.quaternion,o.scale),o.matrixWorldNeedsUpdate=!0,r.linearVelocity?(o.hasLinearVelocity=!0,o.linearVelocity.copy(r.linearVelocity)):o.hasLinearVelocity=!1,r.angularVelocity?(o.hasAngularVelocity=!0,o.angularVelocity.copy(r.angularVelocity)):o.hasAngularVelocity=!1,this.dispatchEvent(cp)))}return o!==null&&(o.visible=r!==null),s!==null&&(s.visible=i!==null),c!==null&&(c.visible=a!==null),this}_getHandJoint(e,t){if(e.joints[t.jointName]===void 0){let n=new sp;n.matrixAutoUpdate=!1,n.visible=!1,e.joints[t.jointName]=n,e.add(n)}return e.joints[t.jointName]}},up={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},dp={h:0,s:0,l:0},fp={h:0,s:0,l:0};function pp(e,t,n){return n<0&&(n+=1),n>1&&--n,n<1/6?e+(t-e)*6*n:n<1/2?t:n<2/3?e+(t-e)*6*(2/3-n):e}var Q=class{constructor(e,t,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(e,t,n)}set(e,t,n){if(t===void 0&&n===void 0){let t=e;t&&t.isColor?this.copy(t):typeof t==`number`?this.setHex(t):typeof t==`string`&&this.setStyle(t)}else this.setRGB(e,t,n);return this}setScalar(e){return this.r=e,this.g=e,this.b=e,this}setHex(e,t=hd){return e=Math.floor(e),this.r=(e>>16&255)/255,this.g=(e>>8&255)/255,this.b=(e&255)/255,_f.colorSpaceToWorking(this,t),this}setRGB(e,t,n,r=_f.workingColorSpace){return this.r=e,this.g=t,this.b=n,_f.colorSpaceToWorking(this,r),this}setHSL(e,t,n,r=_f.workingColorSpace){if(e=Bd(e,1),t=zd(t,0,1),n=zd(n,0,1),t===0)this.r=this.g=this.b=n;else{let r=n<=.5?n*(1+t):n+t-n*t,i=2*n-r;this.r=pp(i,r,e+1/3),this.g=pp(i,r,e),this.b=pp(i,r,e-1/3)}return _f.colorSpaceToWorking(this,r),this}setStyle(e,t=hd){function n(t){t!==void 0&&parseFloat(t)<1&&Y(`Color: Alpha component of `+e+` will be ignored.`)}let r;if(r=/^(\w+)\(([^\)]*)\)/.exec(e)){let i,a=r[1],o=r[2];switch(a){case`rgb`:case`rgba`:if(i=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(o))return n(i[4]),this.setRGB(Math.min(255,parseInt(i[1],10))/255,Math.min(255,parseInt(i[2],10))/255,Math.min(255,parseInt(i[3],10))/255,t);if(i=/^\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(o))return n(i[4]),this.setRGB(Math.min(100,parseFloat(i[1]))/100,Math.min(100,parseFloat(i[2]))/100,Math.min(100,parseFloat(i[3]))/100,t);break;case`hsl`:case`hsla`:if(i=/^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(o))return n(i[4]),this.setHSL(parseFloat(i[1])/360,parseFloat(i[2])/100,parseFloat(i[3])/100,t);break;default:Y(`Color: Unknown color model `+e)}}else if(r=/^\#([A-Fa-f\d]+)$/.exec(e)){let n=r[1],i=n.length;if(i===3)return this.setRGB(parseInt(n.charAt(0),16)/15,parseInt(n.charAt(1),16)/15,parseInt(n.charAt(2),16)/15,t);if(i===6)return this.setHex(parseInt(n,16),t);Y(`Color: Invalid hex color `+e)}else if(e&&e.length>0)return this.setColorName(e,t);return this}setColorName(e,t=hd){let n=up[e.toLowerCase()];return n===void 0?Y(`Color: Unknown color `+e):this.setHex(n,t),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(e){return this.r=e.r,this.g=e.g,this.b=e.b,this}copySRGBToLinear(e){return this.r=vf(e.r),this.g=vf(e.g),this.b=vf(e.b),this}copyLinearToSRGB(e){return this.r=yf(e.r),this.g=yf(e.g),this.b=yf(e.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(e=hd){return _f.workingToColorSpace(mp.copy(this),e),Math.round(zd(mp.r*255,0,255))*65536+Math.round(zd(mp.g*255,0,255))*256+Math.round(zd(mp.b*255,0,255))}getHexString(e=hd){return(`000000`+this.getHex(e).toString(16)).slice(-6)}getHSL(e,t=_f.workingColorSpace){_f.workingToColorSpace(mp.copy(this),t);let n=mp.r,r=mp.g,i=mp.b,a=Math.max(n,r,i),o=Math.min(n,r,i),s,c,l=(o+a)/2;if(o===a)s=0,c=0;else{let e=a-o;switch(c=l<=.5?e/(a+o):e/(2-a-o),a){case n:s=(r-i)/e+(r<i?6:0);break;case r:s=(i-n)/e+2;break;case i:s=(n-r)/e+4}s/=6}return e.h=s,e.s=c,e.l=l,e}getRGB(e,t=_f.workingColorSpace){return _f.workingToColorSpace(mp.copy(this),t),e.r=mp.r,e.g=mp.g,e.b=mp.b,e}getStyle(e=hd){_f.workingToColorSpace(mp.copy(this),e);let t=mp.r,n=mp.g,r=mp.b;return e===`srgb`?`rgb(${Math.round(t*255)},${Math.round(n*255)},${Math.round(r*255)})`:`color(${e} ${t.toFixed(3)} ${n.toFixed(3)} ${r.toFixed(3)})`}offsetHSL(e,t,n){return this.getHSL(dp),this.setHSL(dp.h+e,dp.s+t,dp.l+n)}add(e){return this.r+=e.r,this.g+=e.g,this.b+=e.b,this}addColors(e,t){return this.r=e.r+t.r,this.g=e.g+t.g,this.b=e.b+t.b,this}addScalar(e){return this.r+=e,this.g+=e,this.b+=e,this}sub(e){return this.r=Math.max(0,this.r-e.r),this.g=Math.max(0,this.g-e.g),this.b=Math.max(0,this.b-e.b),this}multiply(e){return this.r*=e.r,this.g*=e.g,this.b*=e.b,this}multiplyScalar(e){return this.r*=e,this.g*=e,this.b*=e,this}lerp(e,t){return this.r+=(e.r-this.r)*t,this.g+=(e.g-this.g)*t,this.b+=(e.b-this.b)*t,this}lerpColors(e,t,n){return this.r=e.r+(t.r-e.r)*n,this.g=e.g+(t.g-e.g)*n,this.b=e.b+(t.b-e.b)*n,this}lerpHSL(e,t){this.getHSL(dp),e.getHSL(fp);let n=Ud(dp.h,fp.h,t),r=Ud(dp.s,fp.s,t),i=Ud(dp.l,fp.l,t);return this.setHSL(n,r,i),this}setFromVector3(e){return this.r=e.x,this.g=e.y,this.b=e.z,this}applyMatrix3(e){let t=this.r,n=this.g,r=this.b,i=e.elements;return this.r=i[0]*t+i[3]*n+i[6]*r,this.g=i[1]*t+i[4]*n+i[7]*r,this.b=i[2]*t+i[5]*n+i[8]*r,this}equals(e){return e.r===this.r&&e.g===this.g&&e.b===this.b}fromArray(e,t=0){return this.r=e[t],this.g=e[t+1],this.b=e[t+2],this}toArray(e=[],t=0){return e[t]=this.r,e[t+1]=this.g,e[t+2]=this.b,e}fromBufferAttribute(e,t){return this.r=e.getX(t),this.g=e.getY(t),this.b=e.getZ(t),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}},mp=new Q;Q.NAMES=up;var hp=class e{constructor(e,t=1,n=1e3){this.isFog=!0,this.name=``,this.color=new Q(e),this.near=t,this.far=n}clone(){return new e(this.color,this.near,this.far)}toJSON(){return{type:`Fog`,name:this.name,color:this.color.getHex(),near:this.near,far:this.far}}},gp=class extends op{constructor(){super(),this.isScene=!0,this.type=`Scene`,this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new Uf,this.environmentIntensity=1,this.environmentRotation=new Uf,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<`u`&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent(`observe`,{detail:this}))}copy(e,t){return super.copy(e,t),this.background=e.background===null?null:e.background.clone(),this.environment=e.environment===null?null:e.environment.clone(),this.fog=e.fog===null?null:e.fog.clone(),this.backgroundBlurriness=e.backgroundBlurriness,this.backgroundIntensity=e.backgroundIntensity,this.backgroundRotation.copy(e.backgroundRotation),this.environmentIntensity=e.environmentIntensity,this.environmentRotation.copy(e.environmentRotation),this.overrideMaterial=e.overrideMaterial===null?null:e.overrideMaterial.clone(),this.matrixAutoUpdate=e.matrixAutoUpdate,this}toJSON(e){let t=super.toJSON(e);return this.fog!==null&&(t.object.fog=this.fog.toJSON()),t.object.backgroundBlurriness=this.backgroundBlurriness,t.object.backgroundIntensity=this.backgroundIntensity,t.object.backgroundRotation=this.backgroundRotation.toArray(),t.object.environmentIntensity=this.environmentIntensity,t.object.environmentRotation=this.environmentRotation.toArray(),t}},_p=new Z,vp=new Z,yp=new Z,bp=new Z,xp=new Z,Sp=new Z,Cp=new Z,wp=new Z,Tp=new Z,Ep=new Z,Dp=new Of,Op=new Of,kp=new Of,Ap=class e{constructor(e=new Z,t=new Z,n=new Z){this.a=e,this.b=t,this.c=n}static getNormal(e,t,n,r){r.subVectors(n,t),_p.subVectors(e,t),r.cross(_p);let i=r.lengthSq();return i>0?r.multiplyScalar(1/Math.sqrt(i)):r.set(0,0,0)}static getBarycoord(e,t,n,r,i){_p.subVectors(r,t),vp.subVectors(n,t),yp.subVectors(e,t);let a=_p.dot(_p),o=_p.dot(vp),s=_p.dot(yp),c=vp.dot(vp),l=vp.dot(yp),u=a*c-o*o;if(u===0)return i.set(0,0,0),null;let d=1/u,f=(c*s-o*l)*d,p=(a*l-o*s)*d;return i.set(1-f-p,p,f)}static containsPoint(e,t,n,r){return this.getBarycoord(e,t,n,r,bp)!==null&&bp.x>=0&&bp.y>=0&&bp.x+bp.y<=1}static getInterpolation(e,t,n,r,i,a,o,s){return this.getBarycoord(e,t,n,r,bp)===null?(s.x=0,s.y=0,`z`in s&&(s.z=0),`w`in s&&(s.w=0),null):(s.setScalar(0),s.addScaledVector(i,bp.x),s.addScaledVector(a,bp.y),s.addScaledVector(o,bp.z),s)}static getInterpolatedAttribute(e,t,n,r,i,a){return Dp.setScalar(0),Op.setScalar(0),kp.setScalar(0),Dp.fromBufferAttribute(e,t),Op.fromBufferAttribute(e,n),kp.fromBufferAttribute(e,r),a.setScalar(0),a.addScaledVector(Dp,i.x),a.addScaledVector(Op,i.y),a.addScaledVector(kp,i.z),a}static isFrontFacing(e,t,n,r){return _p.subVectors(n,t),vp.subVectors(e,t),_p.cross(vp).dot(r)<0}set(e,t,n){return this.a.copy(e),this.b.copy(t),this.c.copy(n),this}setFromPointsAndIndices(e,t,n,r){return this.a.copy(e[t]),this.b.copy(e[n]),this.c.copy(e[r]),this}setFromAttributeAndIndices(e,t,n,r){return this.a.fromBufferAttribute(e,t),this.b.fromBufferAttribute(e,n),this.c.fromBufferAttribute(e,r),this}clone(){return new this.constructor().copy(this)}copy(e){return this.a.copy(e.a),this.b.copy(e.b),this.c.copy(e.c),this}getArea(){return _p.subVectors(this.c,this.b),vp.subVectors(this.a,this.b),_p.cross(vp).length()*.5}getMidpoint(e){return e.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(t){return e.getNormal(this.a,this.b,this.c,t)}getPlane(e){return e.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(t,n){return e.getBarycoord(t,this.a,this.b,this.c,n)}getInterpolation(t,n,r,i,a){return e.getInterpolation(t,this.a,this.b,this.c,n,r,i,a)}containsPoint(t){return e.containsPoint(t,this.a,this.b,this.c)}isFrontFacing(t){return e.isFrontFacing(this.a,this.b,this.c,t)}intersectsBox(e){return e.intersectsTriangle(this)}closestPointToPoint(e,t){let n=this.a,r=this.b,i=this.c,a,o;xp.subVectors(r,n),Sp.subVectors(i,n),wp.subVectors(e,n);let s=xp.dot(wp),c=Sp.dot(wp);if(s<=0&&c<=0)return t.copy(n);Tp.subVectors(e,r);let l=xp.dot(Tp),u=Sp.dot(Tp);if(l>=0&&u<=l)return t.copy(r);let d=s*u-l*c;if(d<=0&&s>=0&&l<=0&&s-l>0)return a=s/(s-l),t.copy(n).addScaledVector(xp,a);Ep.subVectors(e,i);let f=xp.dot(Ep),p=Sp.dot(Ep);if(p>=0&&f<=p)return t.copy(i);let m=f*c-s*p;if(m<=0&&c>=0&&p<=0)return o=c/(c-p),t.copy(n).addScaledVector(Sp,o);let h=l*p-f*u;if(h<=0&&u-l>=0&&f-p>=0)return Cp.subVectors(i,r),o=(u-l)/(u-l+(f-p)),t.copy(r).addScaledVector(Cp,o);let g=1/(h+m+d);return a=m*g,o=d*g,t.copy(n).addScaledVector(xp,a).addScaledVector(Sp,o)}equals(e){return e.a.equals(this.a)&&e.b.equals(this.b)&&e.c.equals(this.c)}},jp=class{constructor(e=new Z(1/0,1/0,1/0),t=new Z(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=e,this.max=t}set(e,t){return this.min.copy(e),this.max.copy(t),this}setFromArray(e){this.makeEmpty();for(let t=0,n=e.length;t<n;t+=3)this.expandByPoint(Np.fromArray(e,t));return this}setFromBufferAttribute(e){this.makeEmpty();for(let t=0,n=e.count;t<n;t++)this.expandByPoint(Np.fromBufferAttribute(e,t));return this}setFromPoints(e){this.makeEmpty();for(let t=0,n=e.length;t<n;t++)this.expandByPoint(e[t]);return this}setFromCenterAndSize(e,t){let n=Np.copy(t).multiplyScalar(.5);return this.min.copy(e).sub(n),this.max.copy(e).add(n),this}setFromObject(e,t=!1){return this.makeEmpty(),this.expandByObject(e,t)}clone(){return new this.constructor().copy(this)}copy(e){return this.min.copy(e.min),this.max.copy(e.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(e){return this.isEmpty()?e.set(0,0,0):e.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(e){return this.isEmpty()?e.set(0,0,0):e.subVectors(this.max,this.min)}expandByPoint(e){return this.min.min(e),this.max.max(e),this}expandByVector(e){return this.min.sub(e),this.max.add(e),this}expandByScalar(e){return this.min.addScalar(-e),this.max.addScalar(e),this}expandByObject(e,t=!1){e.updateWorldMatrix(!1,!1);let n=e.geometry;if(n!==void 0){let r=n.getAttribute(`position`);if(t===!0&&r!==void 0&&e.isInstancedMesh!==!0&&e.isBatchedMesh!==!0)for(let t=0,n=r.count;t<n;t++)e.isMesh===!0?e.getVertexPosition(t,Np):Np.fromBufferAttribute(r,t),Np.applyMatrix4(e.matrixWorld),this.expandByPoint(Np);else e.boundingBox===void 0?(n.boundingBox===null&&n.computeBoundingBox(),Pp.copy(n.boundingBox)):(e.boundingBox===null&&e.computeBoundingBox(),Pp.copy(e.boundingBox)),Pp.applyMatrix4(e.matrixWorld),this.union(Pp)}let r=e.children;for(let e=0,n=r.length;e<n;e++)this.expandByObject(r[e],t);return this}containsPoint(e){return e.x>=this.min.x&&e.x<=this.max.x&&e.y>=this.min.y&&e.y<=this.max.y&&e.z>=this.min.z&&e.z<=this.max.z}containsBox(e){return this.min.x<=e.min.x&&e.max.x<=this.max.x&&this.min.y<=e.min.y&&e.max.y<=this.max.y&&this.min.z<=e.min.z&&e.max.z<=this.max.z}getParameter(e,t){return t.set((e.x-this.min.x)/(this.max.x-this.min.x),(e.y-this.min.y)/(this.max.y-this.min.y),(e.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(e){return e.max.x>=this.min.x&&e.min.x<=this.max.x&&e.max.y>=this.min.y&&e.min.y<=this.max.y&&e.max.z>=this.min.z&&e.min.z<=this.max.z}intersectsSphere(e){return this.clampPoint(e.center,Np),Np.distanceToSquared(e.center)<=e.radius*e.radius}intersectsPlane(e){let t,n;return e.normal.x>0?(t=e.normal.x*this.min.x,n=e.normal.x*this.max.x):(t=e.normal.x*this.max.x,n=e.normal.x*this.min.x),e.normal.y>0?(t+=e.normal.y*this.min.y,n+=e.normal.y*this.max.y):(t+=e.normal.y*this.max.y,n+=e.normal.y*this.min.y),e.normal.z>0?(t+=e.normal.z*this.min.z,n+=e.normal.z*this.max.z):(t+=e.normal.z*this.max.z,n+=e.normal.z*this.min.z),t<=-e.constant&&n>=-e.constant}intersectsTriangle(e){if(this.isEmpty())return!1;this.getCenter(Vp),Hp.subVectors(this.max,Vp),Fp.subVectors(e.a,Vp),Ip.subVectors(e.b,Vp),Lp.subVectors(e.c,Vp),Rp.subVectors(Ip,Fp),zp.subVectors(Lp,Ip),Bp.subVectors(Fp,Lp);let t=[0,-Rp.z,Rp.y,0,-zp.z,zp.y,0,-Bp.z,Bp.y,Rp.z,0,-Rp.x,zp.z,0,-zp.x,Bp.z,0,-Bp.x,-Rp.y,Rp.x,0,-zp.y,zp.x,0,-Bp.y,Bp.x,0];return!Gp(t,Fp,Ip,Lp,Hp)||(t=[1,0,0,0,1,0,0,0,1],!Gp(t,Fp,Ip,Lp,Hp))?!1:(Up.crossVectors(Rp,zp),t=[Up.x,Up.y,Up.z],Gp(t,Fp,Ip,Lp,Hp))}clampPoint(e,t){return t.copy(e).clamp(this.min,this.max)}distanceToPoint(e){return this.clampPoint(e,Np).distanceTo(e)}getBoundingSphere(e){return this.isEmpty()?e.makeEmpty():(this.getCenter(e.center),e.radius=this.getSize(Np).length()*.5),e}intersect(e){return this.min.max(e.min),this.max.min(e.max),this.isEmpty()&&this.makeEmpty(),this}union(e){return this.min.min(e.min),this.max.max(e.max),this}applyMatrix4(e){return this.isEmpty()||(Mp[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(e),Mp[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(e),Mp[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(e),Mp[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(e),Mp[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(e),Mp[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(e),Mp[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(e),Mp[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(e),this.setFromPoints(Mp)),this}translate(e){return this.min.add(e),this.max.add(e),this}equals(e){return e.min.equals(this.min)&&e.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(e){return this.min.fromArray(e.min),this.max.fromArray(e.max),this}},Mp=[new Z,new Z,new Z,new Z,new Z,new Z,new Z,new Z],Np=new Z,Pp=new jp,Fp=new Z,Ip=new Z,Lp=new Z,Rp=new Z,zp=new Z,Bp=new Z,Vp=new Z,Hp=new Z,Up=new Z,Wp=new Z;function Gp(e,t,n,r,i){for(let a=0,o=e.length-3;a<=o;a+=3){Wp.fromArray(e,a);let o=i.x*Math.abs(Wp.x)+i.y*Math.abs(Wp.y)+i.z*Math.abs(Wp.z),s=t.dot(Wp),c=n.dot(Wp),l=r.dot(Wp);if(Math.max(-Math.max(s,c,l),Math.min(s,c,l))>o)return!1}return!0}var Kp=new Z,qp=new X,Jp=0,Yp=class extends Nd{constructor(e,t,n=!1){if(super(),Array.isArray(e))throw TypeError(`THREE.BufferAttribute: array should be a Typed Array.`);this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:Jp++}),this.name=``,this.array=e,this.itemSize=t,this.count=e===void 0?0:e.length/t,this.normalized=n,this.usage=bd,this.updateRanges=[],this.gpuType=cu,this.version=0,this._normalizationScale=e===void 0?void 0:af(e)}onUploadCallback(){}set needsUpdate(e){e===!0&&this.version++}setUsage(e){return this.usage=e,this}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}copy(e){return this.name=e.name,this.array=new e.array.constructor(e.array),this.itemSize=e.itemSize,this.count=e.count,this.normalized=e.normalized,this.usage=e.usage,this.gpuType=e.gpuType,this._normalizationScale=e._normalizationScale,this}copyAt(e,t,n){e*=this.itemSize,n*=t.itemSize;for(let r=0,i=this.itemSize;r<i;r++)this.array[e+r]=t.array[n+r];return this}copyArray(e){return this.array.set(e),this}applyMatrix3(e){if(this.itemSize===2)for(let t=0,n=this.count;t<n;t++)qp.fromBufferAttribute(this,t),qp.applyMatrix3(e),this.setXY(t,qp.x,qp.y);else if(this.itemSize===3)for(let t=0,n=this.count;t<n;t++)Kp.fromBufferAttribute(this,t),Kp.applyMatrix3(e),this.setXYZ(t,Kp.x,Kp.y,Kp.z);return this}applyMatrix4(e){for(let t=0,n=this.count;t<n;t++)Kp.fromBufferAttribute(this,t),Kp.applyMatrix4(e),this.setXYZ(t,Kp.x,Kp.y,Kp.z);return this}applyNormalMatrix(e){for(let t=0,n=this.count;t<n;t++)Kp.fromBufferAttribute(this,t),Kp.applyNormalMatrix(e),this.setXYZ(t,Kp.x,Kp.y,Kp.z);return this}transformDirection(e){for(let t=0,n=this.count;t<n;t++)Kp.fromBufferAttribute(this,t),Kp.transformDirection(e),this.setXYZ(t,Kp.x,Kp.y,Kp.z);return this}set(e,t=0){return this.array.set(e,t),this}getComponent(e,t){let n=this.array[e*this.itemSize+t];return this.normalized&&(n=this._denormalize(n)),n}setComponent(e,t,n){return this.normalized&&(n=this._normalize(n)),this.array[e*this.itemSize+t]=n,this}getX(e){let t=this.array[e*this.itemSize];return this.normalized&&(t=this._denormalize(t)),t}setX(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize]=t,this}getY(e){let t=this.array[e*this.itemSize+1];return this.normalized&&(t=this._denormalize(t)),t}setY(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+1]=t,this}getZ(e){let t=this.array[e*this.itemSize+2];return this.normalized&&(t=this._denormalize(t)),t}setZ(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+2]=t,this}getW(e){let t=this.array[e*this.itemSize+3];return this.normalized&&(t=this._denormalize(t)),t}setW(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+3]=t,this}setXY(e,t,n){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n)),this.array[e+0]=t,this.array[e+1]=n,this}setXYZ(e,t,n,r){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n),r=this._normalize(r)),this.array[e+0]=t,this.array[e+1]=n,this.array[e+2]=r,this}setXYZW(e,t,n,r,i){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n),r=this._normalize(r),i=this._normalize(i)),this.array[e+0]=t,this.array[e+1]=n,this.array[e+2]=r,this.array[e+3]=i,this}onUpload(e){return this.onUploadCallback=e,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){let e={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return e.name=this.name,e.usage=this.usage,e.gpuType=this.gpuType,e}dispose(){this.dispatchEvent({type:`dispose`})}_denormalize(e){let t=this._normalizationScale;return t===void 0?of(e,this.array):Math.max(e/t,-1)}_normalize(e){let t=this._normalizationScale;return t===void 0?sf(e,this.array):Math.round(e*t)}},Xp=class extends Yp{constructor(e,t,n){super(new Uint16Array(e),t,n)}},Zp=class extends Yp{constructor(e,t,n){super(new Uint32Array(e),t,n)}},Qp=class extends Yp{constructor(e,t,n){super(new Float32Array(e),t,n)}},$p=new jp,em=new Z,tm=new Z,nm=class{constructor(e=new Z,t=-1){this.isSphere=!0,this.center=e,this.radius=t}set(e,t){return this.center.copy(e),this.radius=t,this}setFromPoints(e,t){let n=this.center;t===void 0?$p.setFromPoints(e).getCenter(n):n.copy(t);let r=0;for(let t=0,i=e.length;t<i;t++)r=Math.max(r,n.distanceToSquared(e[t]));return this.radius=Math.sqrt(r),this}copy(e){return this.center.copy(e.center),this.radius=e.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(e){return e.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(e){return e.distanceTo(this.center)-this.radius}intersectsSphere(e){let t=this.radius+e.radius;return e.center.distanceToSquared(this.center)<=t*t}intersectsBox(e){return e.intersectsSphere(this)}intersectsPlane(e){return Math.abs(e.distanceToPoint(this.center))<=this.radius}clampPoint(e,t){let n=this.center.distanceToSquared(e);return t.copy(e),n>this.radius*this.radius&&(t.sub(this.center).normalize(),t.multiplyScalar(this.radius).add(this.center)),t}getBoundingBox(e){return this.isEmpty()?(e.makeEmpty(),e):(e.set(this.center,this.center),e.expandByScalar(this.radius),e)}applyMatrix4(e){return this.center.applyMatrix4(e),this.radius*=e.getMaxScaleOnAxis(),this}translate(e){return this.center.add(e),this}expandByPoint(e){if(this.isEmpty())return this.center.copy(e),this.radius=0,this;em.subVectors(e,this.center);let t=em.lengthSq();if(t>this.radius*this.radius){let e=Math.sqrt(t),n=(e-this.radius)*.5;this.center.addScaledVector(em,n/e),this.radius+=n}return this}union(e){return e.isEmpty()?this:this.isEmpty()?(this.copy(e),this):(this.center.equals(e.center)===!0?this.radius=Math.max(this.radius,e.radius):(tm.subVectors(e.center,this.center).setLength(e.radius),this.expandByPoint(em.copy(e.center).add(tm)),this.expandByPoint(em.copy(e.center).sub(tm))),this)}equals(e){return e.center.equals(this.center)&&e.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(e){return this.radius=e.radius,this.center.fromArray(e.center),this}},rm=0,im=new Nf,am=new op,om=new Z,sm=new jp,cm=new jp,lm=new Z,um=class e extends Nd{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:rm++}),this.uuid=Rd(),this.name=``,this.type=`BufferGeometry`,this.index=null,this.indirect=null,this.indirectOffset=0,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={},this._transformed=!1}getIndex(){return this.index}setIndex(e){return this.index=Array.isArray(e)?new(Sd(e)?Zp:Xp)(e,1):e,this}setIndirect(e,t=0){return this.indirect=e,this.indirectOffset=t,this}getIndirect(){return this.indirect}getAttribute(e){return this.attributes[e]}setAttribute(e,t){return this.attributes[e]=t,this}deleteAttribute(e){return delete this.attributes[e],this}hasAttribute(e){return this.attributes[e]!==void 0}addGroup(e,t,n=0){this.groups.push({start:e,count:t,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(e,t){this.drawRange.start=e,this.drawRange.count=t}applyMatrix4(e){let t=this.attributes.position;t!==void 0&&(t.applyMatrix4(e),t.needsUpdate=!0);let n=this.attributes.normal;if(n!==void 0){let t=new ff().getNormalMatrix(e);n.applyNormalMatrix(t),n.needsUpdate=!0}let r=this.attributes.tangent;return r!==void 0&&(r.transformDirection(e),r.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this._transformed=!0,this}applyQuaternion(e){return im.makeRotationFromQuaternion(e),this.applyMatrix4(im),this}rotateX(e){return im.makeRotationX(e),this.applyMatrix4(im),this}rotateY(e){return im.makeRotationY(e),this.applyMatrix4(im),this}rotateZ(e){return im.makeRotationZ(e),this.applyMatrix4(im),this}translate(e,t,n){return im.makeTranslation(e,t,n),this.applyMatrix4(im),this}scale(e,t,n){return im.makeScale(e,t,n),this.applyMatrix4(im),this}lookAt(e){return am.lookAt(e),am.updateMatrix(),this.applyMatrix4(am.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(om).negate(),this.translate(om.x,om.y,om.z),this}setFromPoints(e){let t=this.getAttribute(`position`);if(t===void 0){let t=[];for(let n=0,r=e.length;n<r;n++){let r=e[n];t.push(r.x,r.y,r.z||0)}this.setAttribute(`position`,new Qp(t,3))}else{let n=Math.min(e.length,t.count);for(let r=0;r<n;r++){let n=e[r];t.setXYZ(r,n.x,n.y,n.z||0)}e.length>t.count&&Y(`BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry.`),t.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new jp);let e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute)kd(`BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.`,this),this.boundingBox.set(new Z(-1/0,-1/0,-1/0),new Z(1/0,1/0,1/0));else{if(e!==void 0){if(this.boundingBox.setFromBufferAttribute(e),t)for(let e=0,n=t.length;e<n;e++){let n=t[e];sm.setFromBufferAttribute(n),this.morphTargetsRelative?(lm.addVectors(this.boundingBox.min,sm.min),this.boundingBox.expandByPoint(lm),lm.addVectors(this.boundingBox.max,sm.max),this.boundingBox.expandByPoint(lm)):(this.boundingBox.expandByPoint(sm.min),this.boundingBox.expandByPoint(sm.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&kd(`BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.`,this)}}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new nm);let e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute)kd(`BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.`,this),this.boundingSphere.set(new Z,1/0);else if(e){let n=this.boundingSphere.center;if(sm.setFromBufferAttribute(e),t)for(let e=0,n=t.length;e<n;e++){let n=t[e];cm.setFromBufferAttribute(n),this.morphTargetsRelative?(lm.addVectors(sm.min,cm.min),sm.expandByPoint(lm),lm.addVectors(sm.max,cm.max),sm.expandByPoint(lm)):(sm.expandByPoint(cm.min),sm.expandByPoint(cm.max))}sm.getCenter(n);let r=0;for(let t=0,i=e.count;t<i;t++)lm.fromBufferAttribute(e,t),r=Math.max(r,n.distanceToSquared(lm));if(t)for(let i=0,a=t.length;i<a;i++){let a=t[i],o=this.morphTargetsRelative;for(let t=0,i=a.count;t<i;t++)lm.fromBufferAttribute(a,t),o&&(om.fromBufferAttribute(e,t),lm.add(om)),r=Math.max(r,n.distanceToSquared(lm))}this.boundingSphere.radius=Math.sqrt(r),isNaN(this.boundingSphere.radius)&&kd(`BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.`,this)}}computeTangents(){let e=this.index,t=this.attributes;if(e===null||t.position===void 0||t.normal===void 0||t.uv===void 0){kd(`BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)`);return}let n=t.position,r=t.normal,i=t.uv,a=this.getAttribute(`tangent`);(a===void 0||a.count!==n.count)&&(a=new Yp(new Float32Array(4*n.count),4),this.setAttribute(`tangent`,a));let o=[],s=[],c=new Uint8Array(n.count);for(let e=0;e<n.count;e++)o[e]=new Z,s[e]=new Z;let l=new Z,u=new Z,d=new Z,f=new X,p=new X,m=new X,h=new Z,g=new Z;function _(e,t,r){c[e]=c[t]=c[r]=1,l.fromBufferAttribute(n,e),u.fromBufferAttribute(n,t),d.fromBufferAttribute(n,r),f.fromBufferAttribute(i,e),p.fromBufferAttribute(i,t),m.fromBufferAttribute(i,r),u.sub(l),d.sub(l),p.sub(f),m.sub(f);let a=1/(p.x*m.y-m.x*p.y);isFinite(a)&&(h.copy(u).multiplyScalar(m.y).addScaledVector(d,-p.y).multiplyScalar(a),g.copy(d).multiplyScalar(p.x).addScaledVector(u,-m.x).multiplyScalar(a),o[e].add(h),o[t].add(h),o[r].add(h),s[e].add(g),s[t].add(g),s[r].add(g))}let v=this.groups;v.length===0&&(v=[{start:0,count:e.count}]);for(let t=0,n=v.length;t<n;++t){let n=v[t],r=n.start,i=n.count;for(let t=r,n=r+i;t<n;t+=3)_(e.getX(t+0),e.getX(t+1),e.getX(t+2))}let y=new Z,b=new Z,x=new Z,S=new Z;function C(e){x.fromBufferAttribute(r,e),S.copy(x);let t=o[e];y.copy(t),y.sub(x.multiplyScalar(x.dot(t))).normalize(),b.crossVectors(S,t);let n=b.dot(s[e])<0?-1:1;a.setXYZW(e,y.x,y.y,y.z,n)}for(let e=0,t=n.count;e<t;++e)c[e]&&C(e);this._transformed=!0}computeVertexNormals(){let e=this.index,t=this.getAttribute(`position`);if(t!==void 0){let n=this.getAttribute(`normal`);if(n===void 0||n.count!==t.count)n=new Yp(new Float32Array(t.count*3),3),this.setAttribute(`normal`,n);else for(let e=0,t=n.count;e<t;e++)n.setXYZ(e,0,0,0);let r=new Z,i=new Z,a=new Z,o=new Z,s=new Z,c=new Z,l=new Z,u=new Z;if(e)for(let d=0,f=e.count;d<f;d+=3){let f=e.getX(d+0),p=e.getX(d+1),m=e.getX(d+2);r.fromBufferAttribute(t,f),i.fromBufferAttribute(t,p),a.fromBufferAttribute(t,m),l.subVectors(a,i),u.subVectors(r,i),l.cross(u),o.fromBufferAttribute(n,f),s.fromBufferAttribute(n,p),c.fromBufferAttribute(n,m),o.add(l),s.add(l),c.add(l),n.setXYZ(f,o.x,o.y,o.z),n.setXYZ(p,s.x,s.y,s.z),n.setXYZ(m,c.x,c.y,c.z)}else for(let e=0,o=t.count;e<o;e+=3)r.fromBufferAttribute(t,e+0),i.fromBufferAttribute(t,e+1),a.fromBufferAttribute(t,e+2),l.subVectors(a,i),u.subVectors(r,i),l.cross(u),n.setXYZ(e+0,l.x,l.y,l.z),n.setXYZ(e+1,l.x,l.y,l.z),n.setXYZ(e+2,l.x,l.y,l.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){let e=this.attributes.normal;for(let t=0,n=e.count;t<n;t++)lm.fromBufferAttribute(e,t),lm.normalize(),e.setXYZ(t,lm.x,lm.y,lm.z)}toNonIndexed(){function t(e,t){let n=e.array,r=e.itemSize,i=e.normalized,a=new n.constructor(t.length*r),o=0,s=0;for(let i=0,c=t.length;i<c;i++){o=e.isInterleavedBufferAttribute?t[i]*e.data.stride+e.offset:t[i]*r;for(let e=0;e<r;e++)a[s++]=n[o++]}return new Yp(a,r,i)}if(this.index===null)return Y(`BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed.`),this;let n=new e,r=this.index.array,i=this.attributes;for(let e in i){let a=i[e],o=t(a,r);n.setAttribute(e,o)}let a=this.morphAttributes;for(let e in a){let i=[],o=a[e];for(let e=0,n=o.length;e<n;e++){let n=o[e],a=t(n,r);i.push(a)}n.morphAttributes[e]=i}n.morphTargetsRelative=this.morphTargetsRelative;let o=this.groups;for(let e=0,t=o.length;e<t;e++){let t=o[e];n.addGroup(t.start,t.count,t.materialIndex)}return n}toJSON(){let e={metadata:{version:4.7,type:`BufferGeometry`,generator:`BufferGeometry.toJSON`}};if(e.uuid=this.uuid,e.type=this.parameters!==void 0&&this._transformed===!0?`BufferGeometry`:this.type,e.name=this.name,Object.keys(this.userData).length>0&&(e.userData=this.userData),this.parameters!==void 0&&this._transformed!==!0){let t=this.parameters;for(let n in t)t[n]!==void 0&&(e[n]=t[n]);return e}e.data={attributes:{}};let t=this.index;t!==null&&(e.data.index={type:t.array.constructor.name,array:Array.prototype.slice.call(t.array)});let n=this.attributes;for(let t in n){let r=n[t];e.data.attributes[t]=r.toJSON(e.data)}let r={},i=!1;for(let t in this.morphAttributes){let n=this.morphAttributes[t],a=[];for(let t=0,r=n.length;t<r;t++){let r=n[t];a.push(r.toJSON(e.data))}a.length>0&&(r[t]=a,i=!0)}i&&(e.data.morphAttributes=r,e.data.morphTargetsRelative=this.morphTargetsRelative);let a=this.groups;a.length>0&&(e.data.groups=JSON.parse(JSON.stringify(a)));let o=this.boundingSphere;return o!==null&&(e.data.boundingSphere=o.toJSON()),e}clone(){return new this.constructor().copy(this)}copy(e){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;let t={};this.name=e.name;let n=e.index;n!==null&&this.setIndex(n.clone());let r=e.attributes;for(let e in r){let n=r[e];this.setAttribute(e,n.clone(t))}let i=e.morphAttributes;for(let e in i){let n=[],r=i[e];for(let e=0,i=r.length;e<i;e++)n.push(r[e].clone(t));this.morphAttributes[e]=n}this.morphTargetsRelative=e.morphTargetsRelative;let a=e.groups;for(let e=0,t=a.length;e<t;e++){let t=a[e];this.addGroup(t.start,t.count,t.materialIndex)}let o=e.boundingBox;o!==null&&(this.boundingBox=o.clone());let s=e.boundingSphere;return s!==null&&(this.boundingSphere=s.clone()),this.drawRange.start=e.drawRange.start,this.drawRange.count=e.drawRange.count,this.userData=e.userData,this._transformed=e._transformed,this}dispose(){this.dispatchEvent({type:`dispose`})}},dm=class{constructor(e,t){this.isInterleavedBuffer=!0,this.array=e,this.stride=t,this.count=e===void 0?0:e.length/t,this.usage=bd,this.updateRanges=[],this.version=0,this.uuid=Rd()}onUploadCallback(){}set needsUpdate(e){e===!0&&this.version++}setUsage(e){return this.usage=e,this}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}copy(e){return this.array=new e.array.constructor(e.array),this.count=e.count,this.stride=e.stride,this.usage=e.usage,this}copyAt(e,t,n){e*=this.stride,n*=t.stride;for(let r=0,i=this.stride;r<i;r++)this.array[e+r]=t.array[n+r];return this}set(e,t=0){return this.array.set(e,t),this}clone(e){e.arrayBuffers===void 0&&(e.arrayBuffers={});let t=fm(this.array);e.arrayBuffers[t]===void 0&&(e.arrayBuffers[t]=this.array.slice(0).buffer);let n=new this.array.constructor(e.arrayBuffers[t]),r=new this.constructor(n,this.stride);return r.setUsage(this.usage),r}onUpload(e){return this.onUploadCallback=e,this}toJSON(e){e.arrayBuffers===void 0&&(e.arrayBuffers={});let t=fm(this.array);e.arrayBuffers[t]===void 0&&(e.arrayBuffers[t]=Array.from(new Uint32Array(this.array.slice(0).buffer)));let n={uuid:this.uuid,buffer:t,type:this.array.constructor.name,stride:this.stride};return n.usage=this.usage,n}};function fm(e){return e.buffer._uuid===void 0&&(e.buffer._uuid=Rd()),e.byteOffset===0&&e.byteLength===e.buffer.byteLength?e.buffer._uuid:e.buffer._uuid+`:`+e.byteOffset+`:`+e.byteLength}var pm=new Z,mm=class e{constructor(e,t,n,r=!1){this.isInterleavedBufferAttribute=!0,this.name=``,this.data=e,this.itemSize=t,this.offset=n,this.normalized=r,this._normalizationScale=e===void 0?void 0:af(e.array)}get count(){return this.data.count}get array(){return this.data.array}set needsUpdate(e){this.data.needsUpdate=e}applyMatrix4(e){for(let t=0,n=this.data.count;t<n;t++)pm.fromBufferAttribute(this,t),pm.applyMatrix4(e),this.setXYZ(t,pm.x,pm.y,pm.z);return this}applyNormalMatrix(e){for(let t=0,n=this.count;t<n;t++)pm.fromBufferAttribute(this,t),pm.applyNormalMatrix(e),this.setXYZ(t,pm.x,pm.y,pm.z);return this}transformDirection(e){for(let t=0,n=this.count;t<n;t++)pm.fromBufferAttribute(this,t),pm.transformDirection(e),this.setXYZ(t,pm.x,pm.y,pm.z);return this}getComponent(e,t){let n=this.array[e*this.data.stride+this.offset+t];return this.normalized&&(n=this._denormalize(n)),n}setComponent(e,t,n){return this.normalized&&(n=this._normalize(n)),this.data.array[e*this.data.stride+this.offset+t]=n,this}setX(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset]=t,this}setY(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset+1]=t,this}setZ(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset+2]=t,this}setW(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset+3]=t,this}getX(e){let t=this.data.array[e*this.data.stride+this.offset];return this.normalized&&(t=this._denormalize(t)),t}getY(e){let t=this.data.array[e*this.data.stride+this.offset+1];return this.normalized&&(t=this._denormalize(t)),t}getZ(e){let t=this.data.array[e*this.data.stride+this.offset+2];return this.normalized&&(t=this._denormalize(t)),t}getW(e){let t=this.data.array[e*this.data.stride+this.offset+3];return this.normalized&&(t=this._denormalize(t)),t}setXY(e,t,n){return e=e*this.data.stride+this.offset,this.normalized&&(t=this._normalize(t),n=this._normalize(n)),this.data.array[e+0]=t,this.data.array[e+1]=n,this}setXYZ(e,t,n,r){return e=e*this.data.stride+this.offset,this.normalized&&(t=this._normalize(t),n=this._normalize(n),r=this._normalize(r)),this.data.array[e+0]=t,this.data.array[e+1]=n,this.data.array[e+2]=r,this}setXYZW(e,t,n,r,i){return e=e*this.data.stride+this.offset,this.normalized&&(t=this._normalize(t),n=this._normalize(n),r=this._normalize(r),i=this._normalize(i)),this.data.array[e+0]=t,this.data.array[e+1]=n,this.data.array[e+2]=r,this.data.array[e+3]=i,this}clone(t){if(t===void 0){Dd(`InterleavedBufferAttribute.clone(): Cloning an interleaved buffer attribute will de-interleave buffer data.`);let e=[];for(let t=0;t<this.count;t++){let n=t*this.data.stride+this.offset;for(let t=0;t<this.itemSize;t++)e.push(this.data.array[n+t])}return new Yp(new this.array.constructor(e),this.itemSize,this.normalized)}return t.interleavedBuffers===void 0&&(t.interleavedBuffers={}),t.interleavedBuffers[this.data.uuid]===void 0&&(t.interleavedBuffers[this.data.uuid]=this.data.clone(t)),new e(t.interleavedBuffers[this.data.uuid],this.itemSize,this.offset,this.normalized)}toJSON(e){if(e===void 0){Dd(`InterleavedBufferAttribute.toJSON(): Serializing an interleaved buffer attribute will de-interleave buffer data.`);let e=[];for(let t=0;t<this.count;t++){let n=t*this.data.stride+this.offset;for(let t=0;t<this.itemSize;t++)e.push(this.data.array[n+t])}return{itemSize:this.itemSize,type:this.array.constructor.name,array:e,normalized:this.normalized}}return e.interleavedBuffers===void 0&&(e.interleavedBuffers={}),e.interleavedBuffers[this.data.uuid]===void 0&&(e.interleavedBuffers[this.data.uuid]=this.data.toJSON(e)),{isInterleavedBufferAttribute:!0,itemSize:this.itemSize,data:this.data.uuid,offset:this.offset,normalized:this.normalized}}_denormalize(e){let t=this._normalizationScale;return t===void 0?of(e,this.data.array):Math.max(e/t,-1)}_normalize(e){let t=this._normalizationScale;return t===void 0?sf(e,this.data.array):Math.round(e*t)}},hm=new Z,gm=new Z,_m=new ff,vm=class{constructor(e=new Z(1,0,0),t=0){this.isPlane=!0,this.normal=e,this.constant=t}set(e,t){return this.normal.copy(e),this.constant=t,this}setComponents(e,t,n,r){return this.normal.set(e,t,n),this.constant=r,this}setFromNormalAndCoplanarPoint(e,t){return this.normal.copy(e),this.constant=-t.dot(this.normal),this}setFromCoplanarPoints(e,t,n){let r=hm.subVectors(n,t).cross(gm.subVectors(e,t)).normalize();return this.setFromNormalAndCoplanarPoint(r,e),this}copy(e){return this.normal.copy(e.normal),this.constant=e.constant,this}normalize(){let e=1/this.normal.length();return this.normal.multiplyScalar(e),this.constant*=e,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(e){return this.normal.dot(e)+this.constant}distanceToSphere(e){return this.distanceToPoint(e.center)-e.radius}projectPoint(e,t){return t.copy(e).addScaledVector(this.normal,-this.distanceToPoint(e))}intersectLine(e,t,n=!0){let r=e.delta(hm),i=this.normal.dot(r);if(i===0)return this.distanceToPoint(e.start)===0?t.copy(e.start):null;let a=-(e.start.dot(this.normal)+this.constant)/i;return n===!0&&(a<0||a>1)?null:t.copy(e.start).addScaledVector(r,a)}intersectsLine(e){let t=this.distanceToPoint(e.start),n=this.distanceToPoint(e.end);return t<0&&n>0||n<0&&t>0}intersectsBox(e){return e.intersectsPlane(this)}intersectsSphere(e){return e.intersectsPlane(this)}coplanarPoint(e){return e.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(e,t){let n=t||_m.getNormalMatrix(e),r=this.coplanarPoint(hm).applyMatrix4(e),i=this.normal.applyMatrix3(n).normalize();return this.constant=-r.dot(i),this}translate(e){return this.constant-=e.dot(this.normal),this}equals(e){return e.normal.equals(this.normal)&&e.constant===this.constant}clone(){return new this.constructor().copy(this)}toJSON(){return{normal:this.normal.toArray(),constant:this.constant}}fromJSON(e){return this.normal.fromArray(e.normal),this.constant=e.constant,this}},ym=0,bm=class extends Nd{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:ym++}),this.uuid=Rd(),this.name=``,this.type=`Material`,this.blending=1,this.side=0,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=204,this.blendDst=205,this.blendEquation=100,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new Q(0,0,0),this.blendAlpha=0,this.depthFunc=3,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=519,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=yd,this.stencilZFail=yd,this.stencilZPass=yd,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(e){this._alphaTest>0!=e>0&&this.version++,this._alphaTest=e}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(e){if(e!==void 0)for(let t in e){let n=e[t];if(n===void 0){Y(`Material: parameter '${t}' has value of undefined.`);continue}let r=this[t];r===void 0?Y(`Material: '${t}' is not a property of THREE.${this.type}.`):r&&r.isColor?r.set(n):r&&r.isVector2&&n&&n.isVector2||r&&r.isEuler&&n&&n.isEuler||r&&r.isVector3&&n&&n.isVector3?r.copy(n):this[t]=n}}toJSON(e){let t=e===void 0||typeof e==`string`;t&&(e={textures:{},images:{}});let n={metadata:{version:4.7,type:`Material`,generator:`Material.toJSON`}};n.uuid=this.uuid,n.type=this.type,n.blending=this.blending,n.side=this.side,n.shadowSide=this.shadowSide,n.vertexColors=this.vertexColors,n.opacity=this.opacity,n.transparent=this.transparent,n.blendSrc=this.blendSrc,n.blendDst=this.blendDst,n.blendEquation=this.blendEquation,n.blendSrcAlpha=this.blendSrcAlpha,n.blendDstAlpha=this.blendDstAlpha,n.blendEquationAlpha=this.blendEquationAlpha,n.blendColor=this.blendColor.getHex(),n.blendAlpha=this.blendAlpha,n.depthFunc=this.depthFunc,n.depthTest=this.depthTest,n.depthWrite=this.depthWrite,n.colorWrite=this.colorWrite,n.clipIntersection=this.clipIntersection,n.clipShadows=this.clipShadows,n.stencilWriteMask=this.stencilWriteMask,n.stencilFunc=this.stencilFunc,n.stencilRef=this.stencilRef,n.stencilFuncMask=this.stencilFuncMask,n.stencilFail=this.stencilFail,n.stencilZFail=this.stencilZFail,n.stencilZPass=this.stencilZPass,n.stencilWrite=this.stencilWrite,n.polygonOffset=this.polygonOffset,n.polygonOffsetFactor=this.polygonOffsetFactor,n.polygonOffsetUnits=this.polygonOffsetUnits,n.dithering=this.dithering,n.alphaTest=this.alphaTest,n.alphaHash=this.alphaHash,n.alphaToCoverage=this.alphaToCoverage,n.premultipliedAlpha=this.premultipliedAlpha,n.forceSinglePass=this.forceSinglePass,n.allowOverride=this.allowOverride,n.visible=this.visible,n.toneMapped=this.toneMapped,n.name=this.name,this.color&&this.color.isColor&&(n.color=this.color.getHex()),this.roughness!==void 0&&(n.roughness=this.roughness),this.metalness!==void 0&&(n.metalness=this.metalness),this.sheen!==void 0&&(n.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(n.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(n.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(n.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&(n.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(n.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(n.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(n.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(n.shininess=this.shininess),this.clearcoat!==void 0&&(n.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(n.clearcoatRoughness=this.clearcoatRoughness),this.diffuseRoughness!==void 0&&(n.diffuseRoughness=this.diffuseRoughness),this.diffuseRoughnessMap&&this.diffuseRoughnessMap.isTexture&&(n.diffuseRoughnessMap=this.diffuseRoughnessMap.toJSON(e).uuid),this.clearcoatMap&&this.clearcoatMap.isTexture&&(n.clearcoatMap=this.clearcoatMap.toJSON(e).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(n.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(e).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(n.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(e).uuid,n.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(n.sheenColorMap=this.sheenColorMap.toJSON(e).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(n.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(e).uuid),this.dispersion!==void 0&&(n.dispersion=this.dispersion),this.retroreflectivity!==void 0&&(n.retroreflectivity=this.retroreflectivity),this.iridescence!==void 0&&(n.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(n.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessMinimum!==void 0&&(n.iridescenceThicknessMinimum=this.iridescenceThicknessMinimum),this.iridescenceThicknessMaximum!==void 0&&(n.iridescenceThicknessMaximum=this.iridescenceThicknessMaximum),this.iridescenceMap&&this.iridescenceMap.isTexture&&(n.iridescenceMap=this.iridescenceMap.toJSON(e).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(n.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(e).uuid),this.anisotropy!==void 0&&(n.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(n.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(n.anisotropyMap=this.anisotropyMap.toJSON(e).uuid),this.map&&this.map.isTexture&&(n.map=this.map.toJSON(e).uuid),this.matcap&&this.matcap.isTexture&&(n.matcap=this.matcap.toJSON(e).uuid),this.alphaMap&&this.alphaMap.isTexture&&(n.alphaMap=this.alphaMap.toJSON(e).uuid),this.lightMap&&this.lightMap.isTexture&&(n.lightMap=this.lightMap.toJSON(e).uuid,n.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(n.aoMap=this.aoMap.toJSON(e).uuid,n.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(n.bumpMap=this.bumpMap.toJSON(e).uuid,n.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(n.normalMap=this.normalMap.toJSON(e).uuid,n.normalMapType=this.normalMapType,n.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(n.displacementMap=this.displacementMap.toJSON(e).uuid,n.displacementScale=this.displacementScale,n.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(n.roughnessMap=this.roughnessMap.toJSON(e).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(n.metalnessMap=this.metalnessMap.toJSON(e).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(n.emissiveMap=this.emissiveMap.toJSON(e).uuid),this.specularMap&&this.specularMap.isTexture&&(n.specularMap=this.specularMap.toJSON(e).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(n.specularIntensityMap=this.specularIntensityMap.toJSON(e).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(n.specularColorMap=this.specularColorMap.toJSON(e).uuid),this.envMap&&this.envMap.isTexture&&(n.envMap=this.envMap.toJSON(e).uuid,this.combine!==void 0&&(n.combine=this.combine)),this.envMapRotation!==void 0&&(n.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(n.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(n.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(n.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(n.gradientMap=this.gradientMap.toJSON(e).uuid),this.transmission!==void 0&&(n.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(n.transmissionMap=this.transmissionMap.toJSON(e).uuid),this.thickness!==void 0&&(n.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(n.thicknessMap=this.thicknessMap.toJSON(e).uuid),this.attenuationDistance!==void 0&&(n.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(n.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(n.size=this.size),this.sizeAttenuation!==void 0&&(n.sizeAttenuation=this.sizeAttenuation),Array.isArray(this.clippingPlanes)&&this.clippingPlanes.length>0&&(n.clippingPlanes=this.clippingPlanes.map(e=>e.toJSON())),this.rotation!==void 0&&(n.rotation=this.rotation),this.depthPacking!==void 0&&(n.depthPacking=this.depthPacking),this.linewidth!==void 0&&(n.linewidth=this.linewidth),this.linecap!==void 0&&(n.linecap=this.linecap),this.linejoin!==void 0&&(n.linejoin=this.linejoin),this.dashSize!==void 0&&(n.dashSize=this.dashSize),this.gapSize!==void 0&&(n.gapSize=this.gapSize),this.scale!==void 0&&(n.scale=this.scale),this.wireframe!==void 0&&(n.wireframe=this.wireframe),this.wireframeLinewidth!==void 0&&(n.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!==void 0&&(n.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!==void 0&&(n.wireframeLinejoin=this.wireframeLinejoin),this.flatShading!==void 0&&(n.flatShading=this.flatShading),this.fog!==void 0&&(n.fog=this.fog),Object.keys(this.userData).length>0&&(n.userData=this.userData);function r(e){let t=[];for(let n in e){let r=e[n];delete r.metadata,t.push(r)}return t}if(t){let t=r(e.textures),i=r(e.images);t.length>0&&(n.textures=t),i.length>0&&(n.images=i)}return n}fromJSON(e,t){if(e.uuid!==void 0&&(this.uuid=e.uuid),e.name!==void 0&&(this.name=e.name),e.color!==void 0&&this.color!==void 0&&this.color.setHex(e.color),e.roughness!==void 0&&(this.roughness=e.roughness),e.metalness!==void 0&&(this.metalness=e.metalness),e.sheen!==void 0&&(this.sheen=e.sheen),e.sheenColor!==void 0&&(this.sheenColor=new Q().setHex(e.sheenColor)),e.sheenRoughness!==void 0&&(this.sheenRoughness=e.sheenRoughness),e.emissive!==void 0&&this.emissive!==void 0&&this.emissive.setHex(e.emissive),e.specular!==void 0&&this.specular!==void 0&&this.specular.setHex(e.specular),e.specularIntensity!==void 0&&(this.specularIntensity=e.specularIntensity),e.specularColor!==void 0&&this.specularColor!==void 0&&this.specularColor.setHex(e.specularColor),e.shininess!==void 0&&(this.shininess=e.shininess),e.clearcoat!==void 0&&(this.clearcoat=e.clearcoat),e.clearcoatRoughness!==void 0&&(this.clearcoatRoughness=e.clearcoatRoughness),e.diffuseRoughness!==void 0&&(this.diffuseRoughness=e.diffuseRoughness),e.dispersion!==void 0&&(this.dispersion=e.dispersion),e.retroreflectivity!==void 0&&(this.retroreflectivity=e.retroreflectivity),e.iridescence!==void 0&&(this.iridescence=e.iridescence),e.iridescenceIOR!==void 0&&(this.iridescenceIOR=e.iridescenceIOR),e.iridescenceThicknessMinimum!==void 0&&(this.iridescenceThicknessMinimum=e.iridescenceThicknessMinimum),e.iridescenceThicknessMaximum!==void 0&&(this.iridescenceThicknessMaximum=e.iridescenceThicknessMaximum),e.iridescenceThicknessRange!==void 0&&(this.iridescenceThicknessMinimum=e.iridescenceThicknessRange[0],this.iridescenceThicknessMaximum=e.iridescenceThicknessRange[1]),e.transmission!==void 0&&(this.transmission=e.transmission),e.thickness!==void 0&&(this.thickness=e.thickness),e.attenuationDistance!==void 0&&(this.attenuationDistance=e.attenuationDistance),e.attenuationColor!==void 0&&this.attenuationColor!==void 0&&this.attenuationColor.setHex(e.attenuationColor),e.anisotropy!==void 0&&(this.anisotropy=e.anisotropy),e.anisotropyRotation!==void 0&&(this.anisotropyRotation=e.anisotropyRotation),e.fog!==void 0&&(this.fog=e.fog),e.flatShading!==void 0&&(this.flatShading=e.flatShading),e.blending!==void 0&&(this.blending=e.blending),e.combine!==void 0&&(this.combine=e.combine),e.side!==void 0&&(this.side=e.side),e.shadowSide!==void 0&&(this.shadowSide=e.shadowSide),e.opacity!==void 0&&(this.opacity=e.opacity),e.transparent!==void 0&&(this.transparent=e.transparent),e.alphaTest!==void 0&&(this.alphaTest=e.alphaTest),e.alphaHash!==void 0&&(this.alphaHash=e.alphaHash),e.depthFunc!==void 0&&(this.depthFunc=e.depthFunc),e.depthTest!==void 0&&(this.depthTest=e.depthTest),e.depthWrite!==void 0&&(this.depthWrite=e.depthWrite),e.colorWrite!==void 0&&(this.colorWrite=e.colorWrite),e.clippingPlanes!==void 0&&(this.clippingPlanes=e.clippingPlanes.map(e=>new vm().fromJSON(e))),e.clipIntersection!==void 0&&(this.clipIntersection=e.clipIntersection),e.clipShadows!==void 0&&(this.clipShadows=e.clipShadows),e.depthPacking!==void 0&&(this.depthPacking=e.depthPacking),e.blendSrc!==void 0&&(this.blendSrc=e.blendSrc),e.blendDst!==void 0&&(this.blendDst=e.blendDst),e.blendEquation!==void 0&&(this.blendEquation=e.blendEquation),e.blendSrcAlpha!==void 0&&(this.blendSrcAlpha=e.blendSrcAlpha),e.blendDstAlpha!==void 0&&(this.blendDstAlpha=e.blendDstAlpha),e.blendEquationAlpha!==void 0&&(this.blendEquationAlpha=e.blendEquationAlpha),e.blendColor!==void 0&&this.blendColor!==void 0&&this.blendColor.setHex(e.blendColor),e.blendAlpha!==void 0&&(this.blendAlpha=e.blendAlpha),e.stencilWriteMask!==void 0&&(this.stencilWriteMask=e.stencilWriteMask),e.stencilFunc!==void 0&&(this.stencilFunc=e.stencilFunc),e.stencilRef!==void 0&&(this.stencilRef=e.stencilRef),e.stencilFuncMask!==void 0&&(this.stencilFuncMask=e.stencilFuncMask),e.stencilFail!==void 0&&(this.stencilFail=e.stencilFail),e.stencilZFail!==void 0&&(this.stencilZFail=e.stencilZFail),e.stencilZPass!==void 0&&(this.stencilZPass=e.stencilZPass),e.stencilWrite!==void 0&&(this.stencilWrite=e.stencilWrite),e.wireframe!==void 0&&(this.wireframe=e.wireframe),e.wireframeLinewidth!==void 0&&(this.wireframeLinewidth=e.wireframeLinewidth),e.wireframeLinecap!==void 0&&(this.wireframeLinecap=e.wireframeLinecap),e.wireframeLinejoin!==void 0&&(this.wireframeLinejoin=e.wireframeLinejoin),e.rotation!==void 0&&(this.rotation=e.rotation),e.linewidth!==void 0&&(this.linewidth=e.linewidth),e.linecap!==void 0&&(this.linecap=e.linecap),e.linejoin!==void 0&&(this.linejoin=e.linejoin),e.dashSize!==void 0&&(this.dashSize=e.dashSize),e.gapSize!==void 0&&(this.gapSize=e.gapSize),e.scale!==void 0&&(this.scale=e.scale),e.polygonOffset!==void 0&&(this.polygonOffset=e.polygonOffset),e.polygonOffsetFactor!==void 0&&(this.polygonOffsetFactor=e.polygonOffsetFactor),e.polygonOffsetUnits!==void 0&&(this.polygonOffsetUnits=e.polygonOffsetUnits),e.dithering!==void 0&&(this.dithering=e.dithering),e.alphaToCoverage!==void 0&&(this.alphaToCoverage=e.alphaToCoverage),e.premultipliedAlpha!==void 0&&(this.premultipliedAlpha=e.premultipliedAlpha),e.forceSinglePass!==void 0&&(this.forceSinglePass=e.forceSinglePass),e.allowOverride!==void 0&&(this.allowOverride=e.allowOverride),e.visible!==void 0&&(this.visible=e.visible),e.toneMapped!==void 0&&(this.toneMapped=e.toneMapped),e.userData!==void 0&&(this.userData=e.userData),e.vertexColors!==void 0&&(this.vertexColors=typeof e.vertexColors==`number`?e.vertexColors>0:e.vertexColors),e.size!==void 0&&(this.size=e.size),e.sizeAttenuation!==void 0&&(this.sizeAttenuation=e.sizeAttenuation),e.map!==void 0&&(this.map=t[e.map]||null),e.matcap!==void 0&&(this.matcap=t[e.matcap]||null),e.alphaMap!==void 0&&(this.alphaMap=t[e.alphaMap]||null),e.bumpMap!==void 0&&(this.bumpMap=t[e.bumpMap]||null),e.bumpScale!==void 0&&(this.bumpScale=e.bumpScale),e.normalMap!==void 0&&(this.normalMap=t[e.normalMap]||null),e.normalMapType!==void 0&&(this.normalMapType=e.normalMapType),e.normalScale!==void 0){let t=e.normalScale;Array.isArray(t)===!1&&(t=[t,t]),this.normalScale=new X().fromArray(t)}return e.displacementMap!==void 0&&(this.displacementMap=t[e.displacementMap]||null),e.displacementScale!==void 0&&(this.displacementScale=e.displacementScale),e.displacementBias!==void 0&&(this.displacementBias=e.displacementBias),e.roughnessMap!==void 0&&(this.roughnessMap=t[e.roughnessMap]||null),e.metalnessMap!==void 0&&(this.metalnessMap=t[e.metalnessMap]||null),e.emissiveMap!==void 0&&(this.emissiveMap=t[e.emissiveMap]||null),e.emissiveIntensity!==void 0&&(this.emissiveIntensity=e.emissiveIntensity),e.specularMap!==void 0&&(this.specularMap=t[e.specularMap]||null),e.specularIntensityMap!==void 0&&(this.specularIntensityMap=t[e.specularIntensityMap]||null),e.specularColorMap!==void 0&&(this.specularColorMap=t[e.specularColorMap]||null),e.envMap!==void 0&&(this.envMap=t[e.envMap]||null),e.envMapRotation!==void 0&&this.envMapRotation.fromArray(e.envMapRotation),e.envMapIntensity!==void 0&&(this.envMapIntensity=e.envMapIntensity),e.reflectivity!==void 0&&(this.reflectivity=e.reflectivity),e.refractionRatio!==void 0&&(this.refractionRatio=e.refractionRatio),e.lightMap!==void 0&&(this.lightMap=t[e.lightMap]||null),e.lightMapIntensity!==void 0&&(this.lightMapIntensity=e.lightMapIntensity),e.aoMap!==void 0&&(this.aoMap=t[e.aoMap]||null),e.aoMapIntensity!==void 0&&(this.aoMapIntensity=e.aoMapIntensity),e.gradientMap!==void 0&&(this.gradientMap=t[e.gradientMap]||null),e.clearcoatMap!==void 0&&(this.clearcoatMap=t[e.clearcoatMap]||null),e.clearcoatRoughnessMap!==void 0&&(this.clearcoatRoughnessMap=t[e.clearcoatRoughnessMap]||null),e.clearcoatNormalMap!==void 0&&(this.clearcoatNormalMap=t[e.clearcoatNormalMap]||null),e.clearcoatNormalScale!==void 0&&(this.clearcoatNormalScale=new X().fromArray(e.clearcoatNormalScale)),e.diffuseRoughnessMap!==void 0&&(this.diffuseRoughnessMap=t[e.diffuseRoughnessMap]||null),e.iridescenceMap!==void 0&&(this.iridescenceMap=t[e.iridescenceMap]||null),e.iridescenceThicknessMap!==void 0&&(this.iridescenceThicknessMap=t[e.iridescenceThicknessMap]||null),e.transmissionMap!==void 0&&(this.transmissionMap=t[e.transmissionMap]||null),e.thicknessMap!==void 0&&(this.thicknessMap=t[e.thicknessMap]||null),e.anisotropyMap!==void 0&&(this.anisotropyMap=t[e.anisotropyMap]||null),e.sheenColorMap!==void 0&&(this.sheenColorMap=t[e.sheenColorMap]||null),e.sheenRoughnessMap!==void 0&&(this.sheenRoughnessMap=t[e.sheenRoughnessMap]||null),this}clone(){return new this.constructor().copy(this)}copy(e){this.name=e.name,this.blending=e.blending,this.side=e.side,this.vertexColors=e.vertexColors,this.opacity=e.opacity,this.transparent=e.transparent,this.blendSrc=e.blendSrc,this.blendDst=e.blendDst,this.blendEquation=e.blendEquation,this.blendSrcAlpha=e.blendSrcAlpha,this.blendDstAlpha=e.blendDstAlpha,this.blendEquationAlpha=e.blendEquationAlpha,this.blendColor.copy(e.blendColor),this.blendAlpha=e.blendAlpha,this.depthFunc=e.depthFunc,this.depthTest=e.depthTest,this.depthWrite=e.depthWrite,this.stencilWriteMask=e.stencilWriteMask,this.stencilFunc=e.stencilFunc,this.stencilRef=e.stencilRef,this.stencilFuncMask=e.stencilFuncMask,this.stencilFail=e.stencilFail,this.stencilZFail=e.stencilZFail,this.stencilZPass=e.stencilZPass,this.stencilWrite=e.stencilWrite;let t=e.clippingPlanes,n=null;if(t!==null){let e=t.length;n=Array(e);for(let r=0;r!==e;++r)n[r]=t[r].clone()}return this.clippingPlanes=n,this.clipIntersection=e.clipIntersection,this.clipShadows=e.clipShadows,this.shadowSide=e.shadowSide,this.colorWrite=e.colorWrite,this.precision=e.precision,this.polygonOffset=e.polygonOffset,this.polygonOffsetFactor=e.polygonOffsetFactor,this.polygonOffsetUnits=e.polygonOffsetUnits,this.dithering=e.dithering,this.alphaTest=e.alphaTest,this.alphaHash=e.alphaHash,this.alphaToCoverage=e.alphaToCoverage,this.premultipliedAlpha=e.premultipliedAlpha,this.forceSinglePass=e.forceSinglePass,this.allowOverride=e.allowOverride,this.visible=e.visible,this.toneMapped=e.toneMapped,this.userData=JSON.parse(JSON.stringify(e.userData)),this}dispose(){this.dispatchEvent({type:`dispose`})}set needsUpdate(e){e===!0&&this.version++}},xm=new Z,Sm=new Z,Cm=new Z,wm=new Z,Tm=class{constructor(e=new Z,t=new Z(0,0,-1)){this.origin=e,this.direction=t}set(e,t){return this.origin.copy(e),this.direction.copy(t),this}copy(e){return this.origin.copy(e.origin),this.direction.copy(e.direction),this}at(e,t){return t.copy(this.origin).addScaledVector(this.direction,e)}lookAt(e){return this.direction.copy(e).sub(this.origin).normalize(),this}recast(e){return this.origin.copy(this.at(e,xm)),this}closestPointToPoint(e,t){t.subVectors(e,this.origin);let n=t.dot(this.direction);return n<0?t.copy(this.origin):t.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(e){return Math.sqrt(this.distanceSqToPoint(e))}distanceSqToPoint(e){let t=xm.subVectors(e,this.origin).dot(this.direction);return t<0?this.origin.distanceToSquared(e):(xm.copy(this.origin).addScaledVector(this.direction,t),xm.distanceToSquared(e))}distanceSqToSegment(e,t,n,r){Sm.copy(e).add(t).multiplyScalar(.5),Cm.copy(t).sub(e).normalize(),wm.copy(this.origin).sub(Sm);let i=e.distanceTo(t)*.5,a=-this.direction.dot(Cm),o=wm.dot(this.direction),s=-wm.dot(Cm),c=wm.lengthSq(),l=Math.abs(1-a*a),u,d,f,p;if(l>0){if(u=a*s-o,d=a*o-s,p=i*l,u>=0){if(d>=-p){if(d<=p){let e=1/l;u*=e,d*=e,f=u*(u+a*d+2*o)+d*(a*u+d+2*s)+c}else d=i,u=Math.max(0,-(a*d+o)),f=-u*u+d*(d+2*s)+c}else d=-i,u=Math.max(0,-(a*d+o)),f=-u*u+d*(d+2*s)+c}else d<=-p?(u=Math.max(0,-(-a*i+o)),d=u>0?-i:Math.min(Math.max(-i,-s),i),f=-u*u+d*(d+2*s)+c):d<=p?(u=0,d=Math.min(Math.max(-i,-s),i),f=d*(d+2*s)+c):(u=Math.max(0,-(a*i+o)),d=u>0?i:Math.min(Math.max(-i,-s),i),f=-u*u+d*(d+2*s)+c)}else d=a>0?-i:i,u=Math.max(0,-(a*d+o)),f=-u*u+d*(d+2*s)+c;return n&&n.copy(this.origin).addScaledVector(this.direction,u),r&&r.copy(Sm).addScaledVector(Cm,d),f}intersectSphere(e,t){if(e.radius<0)return null;xm.subVectors(e.center,this.origin);let n=xm.dot(this.direction),r=xm.dot(xm)-n*n,i=e.radius*e.radius;if(r>i)return null;let a=Math.sqrt(i-r),o=n-a,s=n+a;return s<0?null:o<0?this.at(s,t):this.at(o,t)}intersectsSphere(e){return e.radius<0?!1:this.distanceSqToPoint(e.center)<=e.radius*e.radius}distanceToPlane(e){let t=e.normal.dot(this.direction);if(t===0)return e.distanceToPoint(this.origin)===0?0:null;let n=-(this.origin.dot(e.normal)+e.constant)/t;return n>=0?n:null}intersectPlane(e,t){let n=this.distanceToPlane(e);return n===null?null:this.at(n,t)}intersectsPlane(e){let t=e.distanceToPoint(this.origin);return t===0||e.normal.dot(this.direction)*t<0}intersectBox(e,t){let n,r,i,a,o,s,c=1/this.direction.x,l=1/this.direction.y,u=1/this.direction.z,d=this.origin;return c>=0?(n=(e.min.x-d.x)*c,r=(e.max.x-d.x)*c):(n=(e.max.x-d.x)*c,r=(e.min.x-d.x)*c),l>=0?(i=(e.min.y-d.y)*l,a=(e.max.y-d.y)*l):(i=(e.max.y-d.y)*l,a=(e.min.y-d.y)*l),n>a||i>r||((i>n||isNaN(n))&&(n=i),(a<r||isNaN(r))&&(r=a),u>=0?(o=(e.min.z-d.z)*u,s=(e.max.z-d.z)*u):(o=(e.max.z-d.z)*u,s=(e.min.z-d.z)*u),n>s||o>r)||((o>n||n!==n)&&(n=o),(s<r||r!==r)&&(r=s),r<0)?null:this.at(n>=0?n:r,t)}intersectsBox(e){return this.intersectBox(e,xm)!==null}intersectTriangle(e,t,n,r,i){let a=this.origin,o=this.direction,s=o.x,c=o.y,l=o.z,u=e.x-a.x,d=e.y-a.y,f=e.z-a.z,p=t.x-a.x,m=t.y-a.y,h=t.z-a.z,g=n.x-a.x,_=n.y-a.y,v=n.z-a.z,y=Math.abs(s),b=Math.abs(c),x=Math.abs(l),S,C,w,T,E,D,O,k,A,j,M,N;if(y>=b&&y>=x?(w=s,D=u,A=p,N=g,s>=0?(S=c,C=l,T=d,E=f,O=m,k=h,j=_,M=v):(S=l,C=c,T=f,E=d,O=h,k=m,j=v,M=_)):b>=x?(w=c,D=d,A=m,N=_,c>=0?(S=l,C=s,T=f,E=u,O=h,k=p,j=v,M=g):(S=s,C=l,T=u,E=f,O=p,k=h,j=g,M=v)):(w=l,D=f,A=h,N=v,l>=0?(S=s,C=c,T=u,E=d,O=p,k=m,j=g,M=_):(S=c,C=s,T=d,E=u,O=m,k=p,j=_,M=g)),w===0)return null;let ee=S/w,te=C/w,P=1/w,ne=T-ee*D,re=E-te*D,F=O-ee*A,ie=k-te*A,ae=j-ee*N,oe=M-te*N,I=ae*ie-oe*F,se=ne*oe-re*ae,ce=F*re-ie*ne;if(r){if(I<0||se<0||ce<0)return null}else if((I<0||se<0||ce<0)&&(I>0||se>0||ce>0))return null;let le=I+se+ce;if(le===0)return null;let L=P*(I*D+se*A+ce*N);return(le>0?L<0:L>0)?null:this.at(L/le,i)}applyMatrix4(e){return this.origin.applyMatrix4(e),this.direction.transformDirection(e),this}equals(e){return e.origin.equals(this.origin)&&e.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}},Em=class extends bm{constructor(e){super(),this.isMeshBasicMaterial=!0,this.type=`MeshBasicMaterial`,this.color=new Q(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new Uf,this.combine=0,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap=`round`,this.wireframeLinejoin=`round`,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.lightMap=e.lightMap,this.lightMapIntensity=e.lightMapIntensity,this.aoMap=e.aoMap,this.aoMapIntensity=e.aoMapIntensity,this.specularMap=e.specularMap,this.alphaMap=e.alphaMap,this.envMap=e.envMap,this.envMapRotation.copy(e.envMapRotation),this.combine=e.combine,this.reflectivity=e.reflectivity,this.refractionRatio=e.refractionRatio,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.wireframeLinecap=e.wireframeLinecap,this.wireframeLinejoin=e.wireframeLinejoin,this.fog=e.fog,this}},Dm=new Nf,Om=new Tm,km=new nm,Am=new Z,jm=new Z,Mm=new Z,Nm=new Z,Pm=new Z,Fm=new Z,Im=new Z,Lm=new Z,Rm=class extends op{constructor(e=new um,t=new Em){super(),this.isMesh=!0,this.type=`Mesh`,this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),this.morphTargetInfluences=e.morphTargetInfluences===void 0?void 0:e.morphTargetInfluences.slice(),this.morphTargetDictionary=e.morphTargetDictionary===void 0?void 0:Object.assign({},e.morphTargetDictionary),this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}updateMorphTargets(){let e=this.geometry.morphAttributes,t=Object.keys(e);if(t.length>0){let n=e[t[0]];if(n!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let e=0,t=n.length;e<t;e++){let t=n[e].name||String(e);this.morphTargetInfluences.push(0),this.morphTargetDictionary[t]=e}}}}getVertexPosition(e,t){let n=this.geometry,r=n.attributes.position,i=n.morphAttributes.position,a=n.morphTargetsRelative;t.fromBufferAttribute(r,e);let o=this.morphTargetInfluences;if(i&&o){Fm.set(0,0,0);for(let n=0,r=i.length;n<r;n++){let r=o[n],s=i[n];r!==0&&(Pm.fromBufferAttribute(s,e),a?Fm.addScaledVector(Pm,r):Fm.addScaledVector(Pm.sub(t),r))}t.add(Fm)}return t}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,r=this.material,i=this.matrixWorld;r!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),km.copy(n.boundingSphere),km.applyMatrix4(i),Om.copy(e.ray).recast(e.near),km.containsPoint(Om.origin)===!1&&(Om.intersectSphere(km,Am)===null||Om.origin.distanceToSquared(Am)>(e.far-e.near)**2)||(Dm.copy(i).invert(),Om.copy(e.ray).applyMatrix4(Dm),(n.boundingBox===null||Om.intersectsBox(n.boundingBox)!==!1)&&this._computeIntersections(e,t,Om)))}_computeIntersections(e,t,n){let r,i=this.geometry,a=this.material,o=i.index,s=i.attributes.position,c=i.attributes.uv,l=i.attributes.uv1,u=i.attributes.normal,d=i.groups,f=i.drawRange;if(o!==null){if(Array.isArray(a))for(let i=0,s=d.length;i<s;i++){let s=d[i],p=a[s.materialIndex],m=Math.max(s.start,f.start),h=Math.min(o.count,Math.min(s.start+s.count,f.start+f.count));for(let i=m,a=h;i<a;i+=3){let a=o.getX(i),d=o.getX(i+1),f=o.getX(i+2);r=Bm(this,p,e,n,c,l,u,a,d,f),r&&(r.faceIndex=Math.floor(i/3),r.face.materialIndex=s.materialIndex,t.push(r))}}else{let i=Math.max(0,f.start),s=Math.min(o.count,f.start+f.count);for(let d=i,f=s;d<f;d+=3){let i=o.getX(d),s=o.getX(d+1),f=o.getX(d+2);r=Bm(this,a,e,n,c,l,u,i,s,f),r&&(r.faceIndex=Math.floor(d/3),t.push(r))}}}else if(s!==void 0){if(Array.isArray(a))for(let i=0,o=d.length;i<o;i++){let o=d[i],p=a[o.materialIndex],m=Math.max(o.start,f.start),h=Math.min(s.count,Math.min(o.start+o.count,f.start+f.count));for(let i=m,a=h;i<a;i+=3){let a=i,s=i+1,d=i+2;r=Bm(this,p,e,n,c,l,u,a,s,d),r&&(r.faceIndex=Math.floor(i/3),r.face.materialIndex=o.materialIndex,t.push(r))}}else{let i=Math.max(0,f.start),o=Math.min(s.count,f.start+f.count);for(let s=i,d=o;s<d;s+=3){let i=s,o=s+1,d=s+2;r=Bm(this,a,e,n,c,l,u,i,o,d),r&&(r.faceIndex=Math.floor(s/3),t.push(r))}}}}};function zm(e,t,n,r,i,a,o,s){let c;if(c=t.side===1?r.intersectTriangle(o,a,i,!0,s):r.intersectTriangle(i,a,o,t.side===0,s),c===null)return null;Lm.copy(s),Lm.applyMatrix4(e.matrixWorld);let l=n.ray.origin.distanceTo(Lm);return l<n.near||l>n.far?null:{distance:l,point:Lm.clone(),object:e}}function Bm(e,t,n,r,i,a,o,s,c,l){e.getVertexPosition(s,jm),e.getVertexPosition(c,Mm),e.getVertexPosition(l,Nm);let u=zm(e,t,n,r,jm,Mm,Nm,Im);if(u){let e=new Z;Ap.getBarycoord(Im,jm,Mm,Nm,e),i&&(u.uv=Ap.getInterpolatedAttribute(i,s,c,l,e,new X)),a&&(u.uv1=Ap.getInterpolatedAttribute(a,s,c,l,e,new X)),o&&(u.normal=Ap.getInterpolatedAttribute(o,s,c,l,e,new Z),u.normal.dot(r.direction)>0&&u.normal.multiplyScalar(-1));let t={a:s,b:c,c:l,normal:new Z,materialIndex:0};Ap.getNormal(jm,Mm,Nm,t.normal),u.face=t,u.barycoord=e}return u}var Vm=class extends Df{constructor(e=null,t=1,n=1,r,i,a,o,s,c=Xl,l=Xl,u,d){super(null,a,o,s,c,l,r,i,u,d),this.isDataTexture=!0,this.image={data:e,width:t,height:n},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}},Hm=new nm,Um=new X(.5,.5),Wm=new Z,Gm=class{constructor(e=new vm,t=new vm,n=new vm,r=new vm,i=new vm,a=new vm){this.planes=[e,t,n,r,i,a]}set(e,t,n,r,i,a){let o=this.planes;return o[0].copy(e),o[1].copy(t),o[2].copy(n),o[3].copy(r),o[4].copy(i),o[5].copy(a),this}copy(e){let t=this.planes;for(let n=0;n<6;n++)t[n].copy(e.planes[n]);return this}setFromProjectionMatrix(e,t=xd,n=!1){let r=this.planes,i=e.elements,a=i[0],o=i[1],s=i[2],c=i[3],l=i[4],u=i[5],d=i[6],f=i[7],p=i[8],m=i[9],h=i[10],g=i[11],_=i[12],v=i[13],y=i[14],b=i[15];if(r[0].setComponents(c-a,f-l,g-p,b-_).normalize(),r[1].setComponents(c+a,f+l,g+p,b+_).normalize(),r[2].setComponents(c+o,f+u,g+m,b+v).normalize(),r[3].setComponents(c-o,f-u,g-m,b-v).normalize(),n)r[4].setComponents(s,d,h,y).normalize(),r[5].setComponents(c-s,f-d,g-h,b-y).normalize();else if(r[4].setComponents(c-s,f-d,g-h,b-y).normalize(),t===2e3)r[5].setComponents(c+s,f+d,g+h,b+y).normalize();else if(t===2001)r[5].setComponents(s,d,h,y).normalize();else throw Error(`THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: `+t);return this}intersectsObject(e){if(e.boundingSphere!==void 0)e.boundingSphere===null&&e.computeBoundingSphere(),Hm.copy(e.boundingSphere).applyMatrix4(e.matrixWorld);else{let t=e.geometry;t.boundingSphere===null&&t.computeBoundingSphere(),Hm.copy(t.boundingSphere).applyMatrix4(e.matrixWorld)}return this.intersectsSphere(Hm)}intersectsSprite(e){return Hm.center.set(0,0,0),Hm.radius=.7071067811865476+Um.distanceTo(e.center),Hm.applyMatrix4(e.matrixWorld),this.intersectsSphere(Hm)}intersectsSphere(e){let t=this.planes,n=e.center,r=-e.radius;for(let e=0;e<6;e++)if(t[e].distanceToPoint(n)<r)return!1;return!0}intersectsBox(e){let t=this.planes;for(let n=0;n<6;n++){let r=t[n];if(Wm.x=r.normal.x>0?e.max.x:e.min.x,Wm.y=r.normal.y>0?e.max.y:e.min.y,Wm.z=r.normal.z>0?e.max.z:e.min.z,r.distanceToPoint(Wm)<0)return!1}return!0}containsPoint(e){let t=this.planes;for(let n=0;n<6;n++)if(t[n].distanceToPoint(e)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}},Km=new Nf,qm=class e{constructor(){this.coordinateSystem=xd,this._frustums=[],this._count=0}setFromArrayCamera(e){let t=e.cameras,n=this._frustums;for(let e=0;e<t.length;e++){let r=t[e];Km.multiplyMatrices(r.projectionMatrix,r.matrixWorldInverse),n[e]===void 0&&(n[e]=new Gm),n[e].setFromProjectionMatrix(Km,r.coordinateSystem,r.reversedDepth)}return this._count=t.length,this}getFrustum(e){return this._frustums[e]}intersectsObject(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsObject(e))return!0;return!1}intersectsSprite(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsSprite(e))return!0;return!1}intersectsSphere(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsSphere(e))return!0;return!1}intersectsBox(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsBox(e))return!0;return!1}containsPoint(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].containsPoint(e))return!0;return!1}copy(e){this.coordinateSystem=e.coordinateSystem;let t=this._frustums,n=e._frustums;for(let r=0;r<e._count;r++)t[r]===void 0&&(t[r]=new Gm),t[r].copy(n[r]);return this._count=e._count,this}clone(){return new e().copy(this)}},Jm=class extends bm{constructor(e){super(),this.isLineBasicMaterial=!0,this.type=`LineBasicMaterial`,this.color=new Q(16777215),this.map=null,this.linewidth=1,this.linecap=`round`,this.linejoin=`round`,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.linewidth=e.linewidth,this.linecap=e.linecap,this.linejoin=e.linejoin,this.fog=e.fog,this}},Ym=new Z,Xm=new Z,Zm=new Nf,Qm=new Tm,$m=new nm,eh=new Z,th=new Z,nh=class extends op{constructor(e=new um,t=new Jm){super(),this.isLine=!0,this.type=`Line`,this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),this.morphTargetInfluences=e.morphTargetInfluences===void 0?void 0:e.morphTargetInfluences.slice(),this.morphTargetDictionary=e.morphTargetDictionary===void 0?void 0:Object.assign({},e.morphTargetDictionary),this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}computeLineDistances(){let e=this.geometry;if(e.index===null){let t=e.attributes.position,n=[0];for(let e=1,r=t.count;e<r;e++)Ym.fromBufferAttribute(t,e-1),Xm.fromBufferAttribute(t,e),n[e]=n[e-1],n[e]+=Ym.distanceTo(Xm);e.setAttribute(`lineDistance`,new Qp(n,1))}else Y(`Line.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.`);return this}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,r=this.matrixWorld,i=e.params.Line.threshold,a=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),$m.copy(n.boundingSphere),$m.applyMatrix4(r),$m.radius+=i,e.ray.intersectsSphere($m)===!1)return;Zm.copy(r).invert(),Qm.copy(e.ray).applyMatrix4(Zm);let o=i/((this.scale.x+this.scale.y+this.scale.z)/3),s=o*o,c=this.isLineSegments?2:1,l=n.index,u=n.attributes.position;if(l!==null){let n=Math.max(0,a.start),r=Math.min(l.count,a.start+a.count);for(let i=n,a=r-1;i<a;i+=c){let n=l.getX(i),r=l.getX(i+1),a=rh(this,e,Qm,s,n,r,i);a&&t.push(a)}if(this.isLineLoop){let i=l.getX(r-1),a=l.getX(n),o=rh(this,e,Qm,s,i,a,r-1);o&&t.push(o)}}else{let n=Math.max(0,a.start),r=Math.min(u.count,a.start+a.count);for(let i=n,a=r-1;i<a;i+=c){let n=rh(this,e,Qm,s,i,i+1,i);n&&t.push(n)}if(this.isLineLoop){let i=rh(this,e,Qm,s,r-1,n,r-1);i&&t.push(i)}}}updateMorphTargets(){let e=this.geometry.morphAttributes,t=Object.keys(e);if(t.length>0){let n=e[t[0]];if(n!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let e=0,t=n.length;e<t;e++){let t=n[e].name||String(e);this.morphTargetInfluences.push(0),this.morphTargetDictionary[t]=e}}}}};function rh(e,t,n,r,i,a,o){let s=e.geometry.attributes.position;if(Ym.fromBufferAttribute(s,i),Xm.fromBufferAttribute(s,a),n.distanceSqToSegment(Ym,Xm,eh,th)>r)return;eh.applyMatrix4(e.matrixWorld);let c=t.ray.origin.distanceTo(eh);if(!(c<t.near||c>t.far))return{distance:c,point:th.clone().applyMatrix4(e.matrixWorld),index:o,face:null,faceIndex:null,barycoord:null,object:e}}var ih=new Z,ah=new Z,oh=class extends nh{constructor(e,t){super(e,t),this.isLineSegments=!0,this.type=`LineSegments`}computeLineDistances(){let e=this.geometry;if(e.index===null){let t=e.attributes.position,n=[];for(let e=0,r=t.count;e<r;e+=2)ih.fromBufferAttribute(t,e),ah.fromBufferAttribute(t,e+1),n[e]=e===0?0:n[e-1],n[e+1]=n[e]+ih.distanceTo(ah);e.setAttribute(`lineDistance`,new Qp(n,1))}else Y(`LineSegments.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.`);return this}},sh=class extends bm{constructor(e){super(),this.isPointsMaterial=!0,this.type=`PointsMaterial`,this.color=new Q(16777215),this.map=null,this.alphaMap=null,this.size=1,this.sizeAttenuation=!0,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.alphaMap=e.alphaMap,this.size=e.size,this.sizeAttenuation=e.sizeAttenuation,this.fog=e.fog,this}},ch=new Nf,lh=new Tm,uh=new nm,dh=new Z,fh=class extends op{constructor(e=new um,t=new sh){super(),this.isPoints=!0,this.type=`Points`,this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),this.morphTargetInfluences=e.morphTargetInfluences===void 0?void 0:e.morphTargetInfluences.slice(),this.morphTargetDictionary=e.morphTargetDictionary===void 0?void 0:Object.assign({},e.morphTargetDictionary),this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,r=this.matrixWorld,i=e.params.Points.threshold,a=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),uh.copy(n.boundingSphere),uh.applyMatrix4(r),uh.radius+=i,e.ray.intersectsSphere(uh)===!1)return;ch.copy(r).invert(),lh.copy(e.ray).applyMatrix4(ch);let o=i/((this.scale.x+this.scale.y+this.scale.z)/3),s=o*o,c=n.index,l=n.attributes.position;if(c!==null){let n=Math.max(0,a.start),i=Math.min(c.count,a.start+a.count);for(let a=n,o=i;a<o;a++){let n=c.getX(a);dh.fromBufferAttribute(l,n),ph(dh,n,s,r,e,t,this)}}else{let n=Math.max(0,a.start),i=Math.min(l.count,a.start+a.count);for(let a=n,o=i;a<o;a++)dh.fromBufferAttribute(l,a),ph(dh,a,s,r,e,t,this)}}updateMorphTargets(){let e=this.geometry.morphAttributes,t=Object.keys(e);if(t.length>0){let n=e[t[0]];if(n!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let e=0,t=n.length;e<t;e++){let t=n[e].name||String(e);this.morphTargetInfluences.push(0),this.morphTargetDictionary[t]=e}}}}};function ph(e,t,n,r,i,a,o){let s=lh.distanceSqToPoint(e);if(s<n){let n=new Z;lh.closestPointToPoint(e,n),n.applyMatrix4(r);let c=i.ray.origin.distanceTo(n);if(c<i.near||c>i.far)return;a.push({distance:c,distanceToRay:Math.sqrt(s),point:n,index:t,face:null,faceIndex:null,barycoord:null,object:o})}}var mh=class extends Df{constructor(e=[],t=301,n,r,i,a,o,s,c,l){super(e,t,n,r,i,a,o,s,c,l),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(e){this.image=e}},hh=class extends Df{constructor(e,t,n=su,r,i,a,o=Xl,s=Xl,c,l=vu,u=1){if(l!==1026&&l!==1027)throw Error(`THREE.DepthTexture: format must be either THREE.DepthFormat or THREE.DepthStencilFormat`);super({width:e,height:t,depth:u},r,i,a,o,s,l,n,c),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(e){return super.copy(e),this.source=new Cf(Object.assign({},e.image)),this.compareFunction=e.compareFunction,this}toJSON(e){let t=super.toJSON(e);return t.compareFunction=this.compareFunction,t}},gh=class extends hh{constructor(e,t=su,n=301,r,i,a=Xl,o=Xl,s,c=vu){let l={width:e,height:e,depth:1},u=[l,l,l,l,l,l];super(e,e,t,n,r,i,a,o,s,c),this.image=u,this.isCubeDepthTexture=!0,this.isCubeTexture=!0}get images(){return this.image}set images(e){this.image=e}},_h=class extends Df{constructor(e=null){super(),this.sourceTexture=e,this.isExternalTexture=!0}copy(e){return super.copy(e),this.sourceTexture=e.sourceTexture,this}},vh=class e extends um{constructor(e=1,t=1,n=1,r=1,i=1,a=1){super(),this.type=`BoxGeometry`,this.parameters={width:e,height:t,depth:n,widthSegments:r,heightSegments:i,depthSegments:a};let o=this;r=Math.floor(r),i=Math.floor(i),a=Math.floor(a);let s=[],c=[],l=[],u=[],d=0,f=0;p(`z`,`y`,`x`,-1,-1,n,t,e,a,i,0),p(`z`,`y`,`x`,1,-1,n,t,-e,a,i,1),p(`x`,`z`,`y`,1,1,e,n,t,r,a,2),p(`x`,`z`,`y`,1,-1,e,n,-t,r,a,3),p(`x`,`y`,`z`,1,-1,e,t,n,r,i,4),p(`x`,`y`,`z`,-1,-1,e,t,-n,r,i,5),this.setIndex(s),this.setAttribute(`position`,new Qp(c,3)),this.setAttribute(`normal`,new Qp(l,3)),this.setAttribute(`uv`,new Qp(u,2));function p(e,t,n,r,i,a,p,m,h,g,_){let v=a/h,y=p/g,b=a/2,x=p/2,S=m/2,C=h+1,w=g+1,T=0,E=0,D=new Z;for(let a=0;a<w;a++){let o=a*y-x;for(let s=0;s<C;s++)D[e]=(s*v-b)*r,D[t]=o*i,D[n]=S,c.push(D.x,D.y,D.z),D[e]=0,D[t]=0,D[n]=m>0?1:-1,l.push(D.x,D.y,D.z),u.push(s/h),u.push(1-a/g),T+=1}for(let e=0;e<g;e++)for(let t=0;t<h;t++){let n=d+t+C*e,r=d+t+C*(e+1),i=d+(t+1)+C*(e+1),a=d+(t+1)+C*e;s.push(n,r,a),s.push(r,i,a),E+=6}o.addGroup(f,E,_),f+=E,d+=T}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(t){return new e(t.width,t.height,t.depth,t.widthSegments,t.heightSegments,t.depthSegments)}},yh=class e extends um{constructor(e=1,t=1,n=1,r=32,i=1,a=!1,o=0,s=Math.PI*2){super(),this.type=`CylinderGeometry`,this.parameters={radiusTop:e,radiusBottom:t,height:n,radialSegments:r,heightSegments:i,openEnded:a,thetaStart:o,thetaLength:s};let c=this;r=Math.floor(r),i=Math.floor(i);let l=[],u=[],d=[],f=[],p=0,m=[],h=n/2,g=0;_(),a===!1&&(e>0&&v(!0),t>0&&v(!1)),this.setIndex(l),this.setAttribute(`position`,new Qp(u,3)),this.setAttribute(`normal`,new Qp(d,3)),this.setAttribute(`uv`,new Qp(f,2));function _(){let a=new Z,_=new Z,v=0,y=(t-e)/n;for(let c=0;c<=i;c++){let l=[],g=c/i,v=g*(t-e)+e;for(let e=0;e<=r;e++){let t=e/r,i=t*s+o,c=Math.sin(i),m=Math.cos(i);_.x=v*c,_.y=-g*n+h,_.z=v*m,u.push(_.x,_.y,_.z),a.set(c,y,m).normalize(),d.push(a.x,a.y,a.z),f.push(t,1-g),l.push(p++)}m.push(l)}for(let n=0;n<r;n++)for(let r=0;r<i;r++){let a=m[r][n],o=m[r+1][n],s=m[r+1][n+1],c=m[r][n+1];(e>0||r!==0)&&(l.push(a,o,c),v+=3),(t>0||r!==i-1)&&(l.push(o,s,c),v+=3)}c.addGroup(g,v,0),g+=v}function v(n){let i=p,a=new X,m=new Z,_=0,v=n===!0?e:t,y=n===!0?1:-1;for(let e=1;e<=r;e++)u.push(0,h*y,0),d.push(0,y,0),f.push(.5,.5),p++;let b=p;for(let e=0;e<=r;e++){let t=e/r*s+o,n=Math.cos(t),i=Math.sin(t);m.x=v*i,m.y=h*y,m.z=v*n,u.push(m.x,m.y,m.z),d.push(0,y,0),a.x=n*.5+.5,a.y=i*.5*y+.5,f.push(a.x,a.y),p++}for(let e=0;e<r;e++){let t=i+e,r=b+e;n===!0?l.push(r,r+1,t):l.push(r+1,r,t),_+=3}c.addGroup(g,_,n===!0?1:2),g+=_}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(t){return new e(t.radiusTop,t.radiusBottom,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}},bh=class e extends yh{constructor(e=1,t=1,n=32,r=1,i=!1,a=0,o=Math.PI*2){super(0,e,t,n,r,i,a,o),this.type=`ConeGeometry`,this.parameters={radius:e,height:t,radialSegments:n,heightSegments:r,openEnded:i,thetaStart:a,thetaLength:o}}static fromJSON(t){return new e(t.radius,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}},xh=new Z,Sh=new Z,Ch=new Z,wh=new Ap,Th=class extends um{constructor(e=null,t=1){if(super(),this.type=`EdgesGeometry`,this.parameters={geometry:e,thresholdAngle:t},e!==null){let n=1e4,r=Math.cos(Id*t),i=e.getIndex(),a=e.getAttribute(`position`),o=i?i.count:a.count,s=[0,0,0],c=[`a`,`b`,`c`],l=[,,,],u=new Map,d=[];for(let e=0;e<o;e+=3){i?(s[0]=i.getX(e),s[1]=i.getX(e+1),s[2]=i.getX(e+2)):(s[0]=e,s[1]=e+1,s[2]=e+2);let{a:t,b:o,c:f}=wh;if(t.fromBufferAttribute(a,s[0]),o.fromBufferAttribute(a,s[1]),f.fromBufferAttribute(a,s[2]),wh.getNormal(Ch),l[0]=`${Math.round(t.x*n)},${Math.round(t.y*n)},${Math.round(t.z*n)}`,l[1]=`${Math.round(o.x*n)},${Math.round(o.y*n)},${Math.round(o.z*n)}`,l[2]=`${Math.round(f.x*n)},${Math.round(f.y*n)},${Math.round(f.z*n)}`,l[0]!==l[1]&&l[1]!==l[2]&&l[2]!==l[0])for(let e=0;e<3;e++){let t=(e+1)%3,n=l[e],i=l[t],a=wh[c[e]],o=wh[c[t]],f=`${n}_${i}`,p=`${i}_${n}`,m=u.get(p);m?(Ch.dot(m.normal)<=r&&(d.push(a.x,a.y,a.z),d.push(o.x,o.y,o.z)),u.set(p,null)):u.has(f)||u.set(f,{index0:s[e],index1:s[t],normal:Ch.clone()})}}for(let e of u.values())if(e){let{index0:t,index1:n}=e;xh.fromBufferAttribute(a,t),Sh.fromBufferAttribute(a,n),d.push(xh.x,xh.y,xh.z),d.push(Sh.x,Sh.y,Sh.z)}this.setAttribute(`position`,new Qp(d,3))}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}},Eh=class{constructor(){this.type=`Curve`,this.arcLengthDivisions=200,this.needsUpdate=!1,this.cacheArcLengths=null}getPoint(){Y(`Curve: .getPoint() not implemented.`)}getPointAt(e,t){let n=this.getUtoTmapping(e);return this.getPoint(n,t)}getPoints(e=5){let t=[];for(let n=0;n<=e;n++)t.push(this.getPoint(n/e));return t}getSpacedPoints(e=5){let t=[];for(let n=0;n<=e;n++)t.push(this.getPointAt(n/e));return t}getLength(){let e=this.getLengths();return e[e.length-1]}getLengths(e=this.arcLengthDivisions){if(this.cacheArcLengths&&this.cacheArcLengths.length===e+1&&!this.needsUpdate)return this.cacheArcLengths;this.needsUpdate=!1;let t=[],n,r=this.getPoint(0),i=0;t.push(0);for(let a=1;a<=e;a++)n=this.getPoint(a/e),i+=n.distanceTo(r),t.push(i),r=n;return this.cacheArcLengths=t,t}updateArcLengths(){this.needsUpdate=!0,this.getLengths()}getUtoTmapping(e,t=null){let n=this.getLengths(),r=0,i=n.length,a;a=t||e*n[i-1];let o=0,s=i-1,c;for(;o<=s;)if(r=Math.floor(o+(s-o)/2),c=n[r]-a,c<0)o=r+1;else if(c>0)s=r-1;else{s=r;break}if(r=s,n[r]===a)return r/(i-1);let l=n[r],u=n[r+1]-l,d=(a-l)/u;return(r+d)/(i-1)}getTangent(e,t){let n=1e-4,r=e-n,i=e+n;r<0&&(r=0),i>1&&(i=1);let a=this.getPoint(r),o=this.getPoint(i),s=t||(a.isVector2?new X:new Z);return s.copy(o).sub(a).normalize(),s}getTangentAt(e,t){let n=this.getUtoTmapping(e);return this.getTangent(n,t)}computeFrenetFrames(e,t=!1){let n=new Z,r=[],i=[],a=[],o=new Z,s=new Nf;for(let t=0;t<=e;t++){let n=t/e;r[t]=this.getTangentAt(n,new Z)}i[0]=new Z,a[0]=new Z;let c=Number.MAX_VALUE,l=Math.abs(r[0].x),u=Math.abs(r[0].y),d=Math.abs(r[0].z);l<=c&&(c=l,n.set(1,0,0)),u<=c&&(c=u,n.set(0,1,0)),d<=c&&n.set(0,0,1),o.crossVectors(r[0],n).normalize(),i[0].crossVectors(r[0],o),a[0].crossVectors(r[0],i[0]);for(let t=1;t<=e;t++){if(i[t]=i[t-1].clone(),a[t]=a[t-1].clone(),o.crossVectors(r[t-1],r[t]),o.length()>2**-52){o.normalize();let e=Math.acos(zd(r[t-1].dot(r[t]),-1,1));i[t].applyMatrix4(s.makeRotationAxis(o,e))}a[t].crossVectors(r[t],i[t])}if(t===!0){let t=Math.acos(zd(i[0].dot(i[e]),-1,1));t/=e,r[0].dot(o.crossVectors(i[0],i[e]))>0&&(t=-t);for(let n=1;n<=e;n++)i[n].applyMatrix4(s.makeRotationAxis(r[n],t*n)),a[n].crossVectors(r[n],i[n])}return{tangents:r,normals:i,binormals:a}}clone(){return new this.constructor().copy(this)}copy(e){return this.arcLengthDivisions=e.arcLengthDivisions,this.cacheArcLengths=null,this}toJSON(){let e={metadata:{version:4.7,type:`Curve`,generator:`Curve.toJSON`}};return e.arcLengthDivisions=this.arcLengthDivisions,e.type=this.type,e}fromJSON(e){return this.arcLengthDivisions=e.arcLengthDivisions,this.cacheArcLengths=null,this}},Dh=class extends Eh{constructor(e=0,t=0,n=1,r=1,i=0,a=Math.PI*2,o=!1,s=0){super(),this.isEllipseCurve=!0,this.type=`EllipseCurve`,this.aX=e,this.aY=t,this.xRadius=n,this.yRadius=r,this.aStartAngle=i,this.aEndAngle=a,this.aClockwise=o,this.aRotation=s}getPoint(e,t=new X){let n=t,r=Math.PI*2,i=this.aEndAngle-this.aStartAngle,a=Math.abs(i)<2**-52;for(;i<0;)i+=r;for(;i>r;)i-=r;i<2**-52&&(i=a?0:r),this.aClockwise===!0&&!a&&(i===r?i=-r:i-=r);let o=this.aStartAngle+e*i,s=this.aX+this.xRadius*Math.cos(o),c=this.aY+this.yRadius*Math.sin(o);if(this.aRotation!==0){let e=Math.cos(this.aRotation),t=Math.sin(this.aRotation),n=s-this.aX,r=c-this.aY;s=n*e-r*t+this.aX,c=n*t+r*e+this.aY}return n.set(s,c)}copy(e){return super.copy(e),this.aX=e.aX,this.aY=e.aY,this.xRadius=e.xRadius,this.yRadius=e.yRadius,this.aStartAngle=e.aStartAngle,this.aEndAngle=e.aEndAngle,this.aClockwise=e.aClockwise,this.aRotation=e.aRotation,this}toJSON(){let e=super.toJSON();return e.aX=this.aX,e.aY=this.aY,e.xRadius=this.xRadius,e.yRadius=this.yRadius,e.aStartAngle=this.aStartAngle,e.aEndAngle=this.aEndAngle,e.aClockwise=this.aClockwise,e.aRotation=this.aRotation,e}fromJSON(e){return super.fromJSON(e),this.aX=e.aX,this.aY=e.aY,this.xRadius=e.xRadius,this.yRadius=e.yRadius,this.aStartAngle=e.aStartAngle,this.aEndAngle=e.aEndAngle,this.aClockwise=e.aClockwise,this.aRotation=e.aRotation,this}},Oh=class extends Dh{constructor(e,t,n,r,i,a){super(e,t,n,n,r,i,a),this.isArcCurve=!0,this.type=`ArcCurve`}};function kh(){let e=0,t=0,n=0,r=0;function i(i,a,o,s){e=i,t=o,n=-3*i+3*a-2*o-s,r=2*i-2*a+o+s}return{initCatmullRom:function(e,t,n,r,a){i(t,n,a*(n-e),a*(r-t))},initNonuniformCatmullRom:function(e,t,n,r,a,o,s){let c=(t-e)/a-(n-e)/(a+o)+(n-t)/o,l=(n-t)/o-(r-t)/(o+s)+(r-n)/s;c*=o,l*=o,i(t,n,c,l)},calc:function(i){let a=i*i,o=a*i;return e+t*i+n*a+r*o}}}var Ah=new Z,jh=new Z,Mh=new kh,Nh=new kh,Ph=new kh,Fh=class extends Eh{constructor(e=[],t=!1,n=`centripetal`,r=.5){super(),this.isCatmullRomCurve3=!0,this.type=`CatmullRomCurve3`,this.points=e,this.closed=t,this.curveType=n,this.tension=r}getPoint(e,t=new Z){let n=t,r=this.points,i=r.length,a=(i-+!this.closed)*e,o=Math.floor(a),s=a-o;this.closed?o+=o>0?0:(Math.floor(Math.abs(o)/i)+1)*i:s===0&&o===i-1&&(o=i-2,s=1);let c,l;this.closed||o>0?c=r[(o-1)%i]:(jh.subVectors(r[0],r[1]).add(r[0]),c=jh);let u=r[o%i],d=r[(o+1)%i];if(this.closed||o+2<i?l=r[(o+2)%i]:(Ah.subVectors(r[i-1],r[i-2]).add(r[i-1]),l=Ah),this.curveType===`centripetal`||this.curveType===`chordal`){let e=this.curveType===`chordal`?.5:.25,t=c.distanceToSquared(u)**+e,n=u.distanceToSquared(d)**+e,r=d.distanceToSquared(l)**+e;n<1e-4&&(n=1),t<1e-4&&(t=n),r<1e-4&&(r=n),Mh.initNonuniformCatmullRom(c.x,u.x,d.x,l.x,t,n,r),Nh.initNonuniformCatmullRom(c.y,u.y,d.y,l.y,t,n,r),Ph.initNonuniformCatmullRom(c.z,u.z,d.z,l.z,t,n,r)}else this.curveType===`catmullrom`&&(Mh.initCatmullRom(c.x,u.x,d.x,l.x,this.tension),Nh.initCatmullRom(c.y,u.y,d.y,l.y,this.tension),Ph.initCatmullRom(c.z,u.z,d.z,l.z,this.tension));return n.set(Mh.calc(s),Nh.calc(s),Ph.calc(s)),n}copy(e){super.copy(e),this.points=[];for(let t=0,n=e.points.length;t<n;t++){let n=e.points[t];this.points.push(n.clone())}return this.closed=e.closed,this.curveType=e.curveType,this.tension=e.tension,this}toJSON(){let e=super.toJSON();e.points=[];for(let t=0,n=this.points.length;t<n;t++){let n=this.points[t];e.points.push(n.toArray())}return e.closed=this.closed,e.curveType=this.curveType,e.tension=this.tension,e}fromJSON(e){super.fromJSON(e),this.points=[];for(let t=0,n=e.points.length;t<n;t++){let n=e.points[t];this.points.push(new Z().fromArray(n))}return this.closed=e.closed,this.curveType=e.curveType,this.tension=e.tension,this}};function Ih(e,t,n,r,i){let a=(r-t)*.5,o=(i-n)*.5,s=e*e,c=e*s;return(2*n-2*r+a+o)*c+(-3*n+3*r-2*a-o)*s+a*e+n}function Lh(e,t){let n=1-e;return n*n*t}function Rh(e,t){return 2*(1-e)*e*t}function zh(e,t){return e*e*t}function Bh(e,t,n,r){return Lh(e,t)+Rh(e,n)+zh(e,r)}function Vh(e,t){let n=1-e;return n*n*n*t}function Hh(e,t){let n=1-e;return 3*n*n*e*t}function Uh(e,t){return 3*(1-e)*e*e*t}function Wh(e,t){return e*e*e*t}function Gh(e,t,n,r,i){return Vh(e,t)+Hh(e,n)+Uh(e,r)+Wh(e,i)}var Kh=class extends Eh{constructor(e=new X,t=new X,n=new X,r=new X){super(),this.isCubicBezierCurve=!0,this.type=`CubicBezierCurve`,this.v0=e,this.v1=t,this.v2=n,this.v3=r}getPoint(e,t=new X){let n=t,r=this.v0,i=this.v1,a=this.v2,o=this.v3;return n.set(Gh(e,r.x,i.x,a.x,o.x),Gh(e,r.y,i.y,a.y,o.y)),n}copy(e){return super.copy(e),this.v0.copy(e.v0),this.v1.copy(e.v1),this.v2.copy(e.v2),this.v3.copy(e.v3),this}toJSON(){let e=super.toJSON();return e.v0=this.v0.toArray(),e.v1=this.v1.toArray(),e.v2=this.v2.toArray(),e.v3=this.v3.toArray(),e}fromJSON(e){return super.fromJSON(e),this.v0.fromArray(e.v0),this.v1.fromArray(e.v1),this.v2.fromArray(e.v2),this.v3.fromArray(e.v3),this}},qh=class extends Eh{constructor(e=new Z,t=new Z,n=new Z,r=new Z){super(),this.isCubicBezierCurve3=!0,this.type=`CubicBezierCurve3`,this.v0=e,this.v1=t,this.v2=n,this.v3=r}getPoint(e,t=new Z){let n=t,r=this.v0,i=this.v1,a=this.v2,o=this.v3;return n.set(Gh(e,r.x,i.x,a.x,o.x),Gh(e,r.y,i.y,a.y,o.y),Gh(e,r.z,i.z,a.z,o.z)),n}copy(e){return super.copy(e),this.v0.copy(e.v0),this.v1.copy(e.v1),this.v2.copy(e.v2),this.v3.copy(e.v3),this}toJSON(){let e=super.toJSON();return e.v0=this.v0.toArray(),e.v1=this.v1.toArray(),e.v2=this.v2.toArray(),e.v3=this.v3.toArray(),e}fromJSON(e){return super.fromJSON(e),this.v0.fromArray(e.v0),this.v1.fromArray(e.v1),this.v2.fromArray(e.v2),this.v3.fromArray(e.v3),this}},Jh=class extends Eh{constructor(e=new X,t=new X){super(),this.isLineCurve=!0,this.type=`LineCurve`,this.v1=e,this.v2=t}getPoint(e,t=new X){let n=t;return e===1?n.copy(this.v2):(n.copy(this.v2).sub(this.v1),n.multiplyScalar(e).add(this.v1)),n}getPointAt(e,t){return this.getPoint(e,t)}getTangent(e,t=new X){return t.subVectors(this.v2,this.v1).normalize()}getTangentAt(e,t){return this.getTangent(e,t)}copy(e){return super.copy(e),this.v1.copy(e.v1),this.v2.copy(e.v2),this}toJSON(){let e=super.toJSON();return e.v1=this.v1.toArray(),e.v2=this.v2.toArray(),e}fromJSON(e){return super.fromJSON(e),this.v1.fromArray(e.v1),this.v2.fromArray(e.v2),this}},Yh=class extends Eh{constructor(e=new Z,t=new Z){super(),this.isLineCurve3=!0,this.type=`LineCurve3`,this.v1=e,this.v2=t}getPoint(e,t=new Z){let n=t;return e===1?n.copy(this.v2):(n.copy(this.v2).sub(this.v1),n.multiplyScalar(e).add(this.v1)),n}getPointAt(e,t){return this.getPoint(e,t)}getTangent(e,t=new Z){return t.subVectors(this.v2,this.v1).normalize()}getTangentAt(e,t){return this.getTangent(e,t)}copy(e){return super.copy(e),this.v1.copy(e.v1),this.v2.copy(e.v2),this}toJSON(){let e=super.toJSON();return e.v1=this.v1.toArray(),e.v2=this.v2.toArray(),e}fromJSON(e){return super.fromJSON(e),this.v1.fromArray(e.v1),this.v2.fromArray(e.v2),this}},Xh=class extends Eh{constructor(e=new X,t=new X,n=new X){super(),this.isQuadraticBezierCurve=!0,this.type=`QuadraticBezierCurve`,this.v0=e,this.v1=t,this.v2=n}getPoint(e,t=new X){let n=t,r=this.v0,i=this.v1,a=this.v2;return n.set(Bh(e,r.x,i.x,a.x),Bh(e,r.y,i.y,a.y)),n}copy(e){return super.copy(e),this.v0.copy(e.v0),this.v1.copy(e.v1),this.v2.copy(e.v2),this}toJSON(){let e=super.toJSON();return e.v0=this.v0.toArray(),e.v1=this.v1.toArray(),e.v2=this.v2.toArray(),e}fromJSON(e){return super.fromJSON(e),this.v0.fromArray(e.v0),this.v1.fromArray(e.v1),this.v2.fromArray(e.v2),this}},Zh=class extends Eh{constructor(e=new Z,t=new Z,n=new Z){super(),this.isQuadraticBezierCurve3=!0,this.type=`QuadraticBezierCurve3`,this.v0=e,this.v1=t,this.v2=n}getPoint(e,t=new Z){let n=t,r=this.v0,i=this.v1,a=this.v2;return n.set(Bh(e,r.x,i.x,a.x),Bh(e,r.y,i.y,a.y),Bh(e,r.z,i.z,a.z)),n}copy(e){return super.copy(e),this.v0.copy(e.v0),this.v1.copy(e.v1),this.v2.copy(e.v2),this}toJSON(){let e=super.toJSON();return e.v0=this.v0.toArray(),e.v1=this.v1.toArray(),e.v2=this.v2.toArray(),e}fromJSON(e){return super.fromJSON(e),this.v0.fromArray(e.v0),this.v1.fromArray(e.v1),this.v2.fromArray(e.v2),this}},Qh=class extends Eh{constructor(e=[]){super(),this.isSplineCurve=!0,this.type=`SplineCurve`,this.points=e}getPoint(e,t=new X){let n=t,r=this.points,i=(r.length-1)*e,a=Math.floor(i),o=i-a,s=r[a===0?a:a-1],c=r[a],l=r[a>r.length-2?r.length-1:a+1],u=r[a>r.length-3?r.length-1:a+2];return n.set(Ih(o,s.x,c.x,l.x,u.x),Ih(o,s.y,c.y,l.y,u.y)),n}copy(e){super.copy(e),this.points=[];for(let t=0,n=e.points.length;t<n;t++){let n=e.points[t];this.points.push(n.clone())}return this}toJSON(){let e=super.toJSON();e.points=[];for(let t=0,n=this.points.length;t<n;t++){let n=this.points[t];e.points.push(n.toArray())}return e}fromJSON(e){super.fromJSON(e),this.points=[];for(let t=0,n=e.points.length;t<n;t++){let n=e.points[t];this.points.push(new X().fromArray(n))}return this}},$h=Object.freeze({__proto__:null,ArcCurve:Oh,CatmullRomCurve3:Fh,CubicBezierCurve:Kh,CubicBezierCurve3:qh,EllipseCurve:Dh,LineCurve:Jh,LineCurve3:Yh,QuadraticBezierCurve:Xh,QuadraticBezierCurve3:Zh,SplineCurve:Qh}),eg=class extends Eh{constructor(){super(),this.type=`CurvePath`,this.curves=[],this.autoClose=!1,this.cacheLengths=null}add(e){this.curves.push(e)}closePath(){let e=this.curves[0].getPoint(0),t=this.curves[this.curves.length-1].getPoint(1);if(!e.equals(t)){let n=e.isVector2===!0?`LineCurve`:`LineCurve3`;this.curves.push(new $h[n](t,e))}return this}getPoint(e,t){let n=e*this.getLength(),r=this.getCurveLengths(),i=0;for(;i<r.length;){if(r[i]>=n){let e=r[i]-n,a=this.curves[i],o=a.getLength(),s=o===0?0:1-e/o;return a.getPointAt(s,t)}i++}return null}getLength(){let e=this.getCurveLengths();return e[e.length-1]}updateArcLengths(){this.needsUpdate=!0,this.cacheLengths=null,this.getCurveLengths()}getCurveLengths(){if(this.cacheLengths&&this.cacheLengths.length===this.curves.length)return this.cacheLengths;let e=[],t=0;for(let n=0,r=this.curves.length;n<r;n++)t+=this.curves[n].getLength(),e.push(t);return this.cacheLengths=e,e}getSpacedPoints(e=40){let t=[];for(let n=0;n<=e;n++)t.push(this.getPoint(n/e));return this.autoClose&&t.push(t[0]),t}getPoints(e=12){let t=[],n;for(let r=0,i=this.curves;r<i.length;r++){let a=i[r],o=a.isEllipseCurve?e*2:a.isLineCurve||a.isLineCurve3?1:a.isSplineCurve?e*a.points.length:e,s=a.getPoints(o);for(let e=0;e<s.length;e++){let r=s[e];n&&n.equals(r)||(t.push(r),n=r)}}return this.autoClose&&t.length>1&&!t[t.length-1].equals(t[0])&&t.push(t[0]),t}copy(e){super.copy(e),this.curves=[];for(let t=0,n=e.curves.length;t<n;t++){let n=e.curves[t];this.curves.push(n.clone())}return this.autoClose=e.autoClose,this.cacheLengths=null,this}toJSON(){let e=super.toJSON();e.autoClose=this.autoClose,e.curves=[];for(let t=0,n=this.curves.length;t<n;t++){let n=this.curves[t];e.curves.push(n.toJSON())}return e}fromJSON(e){super.fromJSON(e),this.autoClose=e.autoClose,this.curves=[];for(let t=0,n=e.curves.length;t<n;t++){let n=e.curves[t];this.curves.push(new $h[n.type]().fromJSON(n))}return this.cacheLengths=null,this}},tg=class extends eg{constructor(e){super(),this.type=`Path`,this.currentPoint=new X,e&&this.setFromPoints(e)}setFromPoints(e){this.moveTo(e[0].x,e[0].y);for(let t=1,n=e.length;t<n;t++)this.lineTo(e[t].x,e[t].y);return this}moveTo(e,t){return this.currentPoint.set(e,t),this}lineTo(e,t){let n=new Jh(this.currentPoint.clone(),new X(e,t));return this.curves.push(n),this.currentPoint.set(e,t),this}quadraticCurveTo(e,t,n,r){let i=new Xh(this.currentPoint.clone(),new X(e,t),new X(n,r));return this.curves.push(i),this.currentPoint.set(n,r),this}bezierCurveTo(e,t,n,r,i,a){let o=new Kh(this.currentPoint.clone(),new X(e,t),new X(n,r),new X(i,a));return this.curves.push(o),this.currentPoint.set(i,a),this}splineThru(e){let t=new Qh([this.currentPoint.clone()].concat(e));return this.curves.push(t),this.currentPoint.copy(e[e.length-1]),this}arc(e,t,n,r,i,a){let o=this.currentPoint.x,s=this.currentPoint.y;return this.absarc(e+o,t+s,n,r,i,a),this}absarc(e,t,n,r,i,a){return this.absellipse(e,t,n,n,r,i,a),this}ellipse(e,t,n,r,i,a,o,s){let c=this.currentPoint.x,l=this.currentPoint.y;return this.absellipse(e+c,t+l,n,r,i,a,o,s),this}absellipse(e,t,n,r,i,a,o,s){let c=new Dh(e,t,n,r,i,a,o,s);if(this.curves.length>0){let e=c.getPoint(0);e.equals(this.currentPoint)||this.lineTo(e.x,e.y)}this.curves.push(c);let l=c.getPoint(1);return this.currentPoint.copy(l),this}copy(e){return super.copy(e),this.currentPoint.copy(e.currentPoint),this}toJSON(){let e=super.toJSON();return e.currentPoint=this.currentPoint.toArray(),e}fromJSON(e){return super.fromJSON(e),this.currentPoint.fromArray(e.currentPoint),this}},ng=class extends tg{constructor(e){super(e),this.uuid=Rd(),this.type=`Shape`,this.holes=[]}getPointsHoles(e){let t=[];for(let n=0,r=this.holes.length;n<r;n++)t[n]=this.holes[n].getPoints(e);return t}extractPoints(e){return{shape:this.getPoints(e),holes:this.getPointsHoles(e)}}copy(e){super.copy(e),this.holes=[];for(let t=0,n=e.holes.length;t<n;t++){let n=e.holes[t];this.holes.push(n.clone())}return this}toJSON(){let e=super.toJSON();e.uuid=this.uuid,e.holes=[];for(let t=0,n=this.holes.length;t<n;t++){let n=this.holes[t];e.holes.push(n.toJSON())}return e}fromJSON(e){super.fromJSON(e),this.uuid=e.uuid,this.holes=[];for(let t=0,n=e.holes.length;t<n;t++){let n=e.holes[t];this.holes.push(new tg().fromJSON(n))}return this}};function rg(e,t,n=2){let r=t&&t.length,i=r?t[0]*n:e.length,a=ig(e,0,i,n,!0),o=[];if(!a||a.next===a.prev)return o;let s,c,l;if(r&&(a=dg(e,t,a,n)),e.length>80*n){s=e[0],c=e[1];let t=s,r=c;for(let a=n;a<i;a+=n){let n=e[a],i=e[a+1];n<s&&(s=n),i<c&&(c=i),n>t&&(t=n),i>r&&(r=i)}l=Math.max(t-s,r-c),l=l===0?0:32767/l}return og(a,o,n,s,c,l,0),o}function ig(e,t,n,r,i){let a;if(i===Fg(e,t,n,r)>0)for(let i=t;i<n;i+=r)a=Mg(i/r|0,e[i],e[i+1],a);else for(let i=n-r;i>=t;i-=r)a=Mg(i/r|0,e[i],e[i+1],a);return a&&wg(a,a.next)&&(Ng(a),a=a.next),a}function ag(e,t){if(!e)return e;t||=e;let n=e,r;do if(r=!1,!n.steiner&&(wg(n,n.next)||Cg(n.prev,n,n.next)===0)){if(Ng(n),n=t=n.prev,n===n.next)break;r=!0}else n=n.next;while(r||n!==t);return t}function og(e,t,n,r,i,a,o){if(!e)return;!o&&a&&gg(e,r,i,a);let s=e;for(;e.prev!==e.next;){let c=e.prev,l=e.next;if(a?cg(e,r,i,a):sg(e))t.push(c.i,e.i,l.i),Ng(e),e=l.next,s=l.next;else if(e=l,e===s){o?o===1?(e=lg(ag(e),t),og(e,t,n,r,i,a,2)):o===2&&ug(e,t,n,r,i,a):og(ag(e),t,n,r,i,a,1);break}}}function sg(e){let t=e.prev,n=e,r=e.next;if(Cg(t,n,r)>=0)return!1;let i=t.x,a=n.x,o=r.x,s=t.y,c=n.y,l=r.y,u=Math.min(i,a,o),d=Math.min(s,c,l),f=Math.max(i,a,o),p=Math.max(s,c,l),m=r.next;for(;m!==t;){if(m.x>=u&&m.x<=f&&m.y>=d&&m.y<=p&&xg(i,s,a,c,o,l,m.x,m.y)&&Cg(m.prev,m,m.next)>=0)return!1;m=m.next}return!0}function cg(e,t,n,r){let i=e.prev,a=e,o=e.next;if(Cg(i,a,o)>=0)return!1;let s=i.x,c=a.x,l=o.x,u=i.y,d=a.y,f=o.y,p=Math.min(s,c,l),m=Math.min(u,d,f),h=Math.max(s,c,l),g=Math.max(u,d,f),_=vg(p,m,t,n,r),v=vg(h,g,t,n,r),y=e.prevZ,b=e.nextZ;for(;y&&y.z>=_&&b&&b.z<=v;){if(y.x>=p&&y.x<=h&&y.y>=m&&y.y<=g&&y!==i&&y!==o&&xg(s,u,c,d,l,f,y.x,y.y)&&Cg(y.prev,y,y.next)>=0||(y=y.prevZ,b.x>=p&&b.x<=h&&b.y>=m&&b.y<=g&&b!==i&&b!==o&&xg(s,u,c,d,l,f,b.x,b.y)&&Cg(b.prev,b,b.next)>=0))return!1;b=b.nextZ}for(;y&&y.z>=_;){if(y.x>=p&&y.x<=h&&y.y>=m&&y.y<=g&&y!==i&&y!==o&&xg(s,u,c,d,l,f,y.x,y.y)&&Cg(y.prev,y,y.next)>=0)return!1;y=y.prevZ}for(;b&&b.z<=v;){if(b.x>=p&&b.x<=h&&b.y>=m&&b.y<=g&&b!==i&&b!==o&&xg(s,u,c,d,l,f,b.x,b.y)&&Cg(b.prev,b,b.next)>=0)return!1;b=b.nextZ}return!0}function lg(e,t){let n=e;do{let r=n.prev,i=n.next.next;!wg(r,i)&&Tg(r,n,n.next,i)&&kg(r,i)&&kg(i,r)&&(t.push(r.i,n.i,i.i),Ng(n),Ng(n.next),n=e=i),n=n.next}while(n!==e);return ag(n)}function ug(e,t,n,r,i,a){let o=e;do{let e=o.next.next;for(;e!==o.prev;){if(o.i!==e.i&&Sg(o,e)){let s=jg(o,e);o=ag(o,o.next),s=ag(s,s.next),og(o,t,n,r,i,a,0),og(s,t,n,r,i,a,0);return}e=e.next}o=o.next}while(o!==e)}function dg(e,t,n,r){let i=[];for(let n=0,a=t.length;n<a;n++){let o=ig(e,t[n]*r,n<a-1?t[n+1]*r:e.length,r,!1);o===o.next&&(o.steiner=!0),i.push(yg(o))}i.sort(fg);for(let e=0;e<i.length;e++)n=pg(i[e],n);return n}function fg(e,t){let n=e.x-t.x;return n===0&&(n=e.y-t.y,n===0&&(n=(e.next.y-e.y)/(e.next.x-e.x)-(t.next.y-t.y)/(t.next.x-t.x))),n}function pg(e,t){let n=mg(e,t);if(!n)return t;let r=jg(n,e);return ag(r,r.next),ag(n,n.next)}function mg(e,t){let n=t,r=e.x,i=e.y,a=-1/0,o;if(wg(e,n))return n;do{if(wg(e,n.next))return n.next;if(i<=n.y&&i>=n.next.y&&n.next.y!==n.y){let e=n.x+(i-n.y)*(n.next.x-n.x)/(n.next.y-n.y);if(e<=r&&e>a&&(a=e,o=n.x<n.next.x?n:n.next,e===r))return o}n=n.next}while(n!==t);if(!o)return null;let s=o,c=o.x,l=o.y,u=1/0;n=o;do{if(r>=n.x&&n.x>=c&&r!==n.x&&bg(i<l?r:a,i,c,l,i<l?a:r,i,n.x,n.y)){let t=Math.abs(i-n.y)/(r-n.x);kg(n,e)&&(t<u||t===u&&(n.x>o.x||n.x===o.x&&hg(o,n)))&&(o=n,u=t)}n=n.next}while(n!==s);return o}function hg(e,t){return Cg(e.prev,e,t.prev)<0&&Cg(t.next,e,e.next)<0}function gg(e,t,n,r){let i=e;do i.z===0&&(i.z=vg(i.x,i.y,t,n,r)),i.prevZ=i.prev,i.nextZ=i.next,i=i.next;while(i!==e);i.prevZ.nextZ=null,i.prevZ=null,_g(i)}function _g(e){let t,n=1;do{let r=e,i;e=null;let a=null;for(t=0;r;){t++;let o=r,s=0;for(let e=0;e<n&&(s++,o=o.nextZ,o);e++);let c=n;for(;s>0||c>0&&o;)s!==0&&(c===0||!o||r.z<=o.z)?(i=r,r=r.nextZ,s--):(i=o,o=o.nextZ,c--),a?a.nextZ=i:e=i,i.prevZ=a,a=i;r=o}a.nextZ=null,n*=2}while(t>1);return e}function vg(e,t,n,r,i){return e=(e-n)*i|0,t=(t-r)*i|0,e=(e|e<<8)&16711935,e=(e|e<<4)&252645135,e=(e|e<<2)&858993459,e=(e|e<<1)&1431655765,t=(t|t<<8)&16711935,t=(t|t<<4)&252645135,t=(t|t<<2)&858993459,t=(t|t<<1)&1431655765,e|t<<1}function yg(e){let t=e,n=e;do(t.x<n.x||t.x===n.x&&t.y<n.y)&&(n=t),t=t.next;while(t!==e);return n}function bg(e,t,n,r,i,a,o,s){return(i-o)*(t-s)>=(e-o)*(a-s)&&(e-o)*(r-s)>=(n-o)*(t-s)&&(n-o)*(a-s)>=(i-o)*(r-s)}function xg(e,t,n,r,i,a,o,s){return(e!==o||t!==s)&&bg(e,t,n,r,i,a,o,s)}function Sg(e,t){return e.next.i!==t.i&&e.prev.i!==t.i&&!Og(e,t)&&(kg(e,t)&&kg(t,e)&&Ag(e,t)&&(Cg(e.prev,e,t.prev)||Cg(e,t.prev,t))||wg(e,t)&&Cg(e.prev,e,e.next)>0&&Cg(t.prev,t,t.next)>0)}function Cg(e,t,n){return(t.y-e.y)*(n.x-t.x)-(t.x-e.x)*(n.y-t.y)}function wg(e,t){return e.x===t.x&&e.y===t.y}function Tg(e,t,n,r){let i=Dg(Cg(e,t,n)),a=Dg(Cg(e,t,r)),o=Dg(Cg(n,r,e)),s=Dg(Cg(n,r,t));return!!(i!==a&&o!==s||i===0&&Eg(e,n,t)||a===0&&Eg(e,r,t)||o===0&&Eg(n,e,r)||s===0&&Eg(n,t,r))}function Eg(e,t,n){return t.x<=Math.max(e.x,n.x)&&t.x>=Math.min(e.x,n.x)&&t.y<=Math.max(e.y,n.y)&&t.y>=Math.min(e.y,n.y)}function Dg(e){return e>0?1:e<0?-1:0}function Og(e,t){let n=e;do{if(n.i!==e.i&&n.next.i!==e.i&&n.i!==t.i&&n.next.i!==t.i&&Tg(n,n.next,e,t))return!0;n=n.next}while(n!==e);return!1}function kg(e,t){return Cg(e.prev,e,e.next)<0?Cg(e,t,e.next)>=0&&Cg(e,e.prev,t)>=0:Cg(e,t,e.prev)<0||Cg(e,e.next,t)<0}function Ag(e,t){let n=e,r=!1,i=(e.x+t.x)/2,a=(e.y+t.y)/2;do n.y>a!=n.next.y>a&&n.next.y!==n.y&&i<(n.next.x-n.x)*(a-n.y)/(n.next.y-n.y)+n.x&&(r=!r),n=n.next;while(n!==e);return r}function jg(e,t){let n=Pg(e.i,e.x,e.y),r=Pg(t.i,t.x,t.y),i=e.next,a=t.prev;return e.next=t,t.prev=e,n.next=i,i.prev=n,r.next=n,n.prev=r,a.next=r,r.prev=a,r}function Mg(e,t,n,r){let i=Pg(e,t,n);return r?(i.next=r.next,i.prev=r,r.next.prev=i,r.next=i):(i.prev=i,i.next=i),i}function Ng(e){e.next.prev=e.prev,e.prev.next=e.next,e.prevZ&&(e.prevZ.nextZ=e.nextZ),e.nextZ&&(e.nextZ.prevZ=e.prevZ)}function Pg(e,t,n){return{i:e,x:t,y:n,prev:null,next:null,z:0,prevZ:null,nextZ:null,steiner:!1}}function Fg(e,t,n,r){let i=0;for(let a=t,o=n-r;a<n;a+=r)i+=(e[o]-e[a])*(e[a+1]+e[o+1]),o=a;return i}var Ig=class{static triangulate(e,t,n=2){return rg(e,t,n)}},Lg=class e{static area(e){let t=e.length,n=0;for(let r=t-1,i=0;i<t;r=i++)n+=e[r].x*e[i].y-e[i].x*e[r].y;return n*.5}static isClockWise(t){return e.area(t)<0}static triangulateShape(e,t){let n=[],r=[],i=[];Rg(e),zg(n,e);let a=e.length;t.forEach(Rg);for(let e=0;e<t.length;e++)r.push(a),a+=t[e].length,zg(n,t[e]);let o=Ig.triangulate(n,r);for(let e=0;e<o.length;e+=3)i.push(o.slice(e,e+3));return i}};function Rg(e){let t=e.length;t>2&&e[t-1].equals(e[0])&&e.pop()}function zg(e,t){for(let n=0;n<t.length;n++)e.push(t[n].x),e.push(t[n].y)}var Bg=class e extends um{constructor(e=1,t=1,n=1,r=1){super(),this.type=`PlaneGeometry`,this.parameters={width:e,height:t,widthSegments:n,heightSegments:r};let i=e/2,a=t/2,o=Math.floor(n),s=Math.floor(r),c=o+1,l=s+1,u=e/o,d=t/s,f=[],p=[],m=[],h=[];for(let e=0;e<l;e++){let t=e*d-a;for(let n=0;n<c;n++){let r=n*u-i;p.push(r,-t,0),m.push(0,0,1),h.push(n/o),h.push(1-e/s)}}for(let e=0;e<s;e++)for(let t=0;t<o;t++){let n=t+c*e,r=t+c*(e+1),i=t+1+c*(e+1),a=t+1+c*e;f.push(n,r,a),f.push(r,i,a)}this.setIndex(f),this.setAttribute(`position`,new Qp(p,3)),this.setAttribute(`normal`,new Qp(m,3)),this.setAttribute(`uv`,new Qp(h,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(t){return new e(t.width,t.height,t.widthSegments,t.heightSegments)}},Vg=class e extends um{constructor(e=.5,t=1,n=32,r=1,i=0,a=Math.PI*2){super(),this.type=`RingGeometry`,this.parameters={innerRadius:e,outerRadius:t,thetaSegments:n,phiSegments:r,thetaStart:i,thetaLength:a},n=Math.max(3,n),r=Math.max(1,r);let o=[],s=[],c=[],l=[],u=e,d=(t-e)/r,f=new Z,p=new X;for(let e=0;e<=r;e++){for(let e=0;e<=n;e++){let r=i+e/n*a;f.x=u*Math.cos(r),f.y=u*Math.sin(r),s.push(f.x,f.y,f.z),c.push(0,0,1),p.x=(f.x/t+1)/2,p.y=(f.y/t+1)/2,l.push(p.x,p.y)}u+=d}for(let e=0;e<r;e++){let t=e*(n+1);for(let e=0;e<n;e++){let r=e+t,i=r,a=r+n+1,s=r+n+2,c=r+1;o.push(i,a,c),o.push(a,s,c)}}this.setIndex(o),this.setAttribute(`position`,new Qp(s,3)),this.setAttribute(`normal`,new Qp(c,3)),this.setAttribute(`uv`,new Qp(l,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(t){return new e(t.innerRadius,t.outerRadius,t.thetaSegments,t.phiSegments,t.thetaStart,t.thetaLength)}},Hg=class e extends um{constructor(e=new ng([new X(0,.5),new X(-.5,-.5),new X(.5,-.5)]),t=12){super(),this.type=`ShapeGeometry`,this.parameters={shapes:e,curveSegments:t};let n=[],r=[],i=[],a=[],o=0,s=0;if(Array.isArray(e)===!1)c(e);else for(let t=0;t<e.length;t++)c(e[t]),this.addGroup(o,s,t),o+=s,s=0;this.setIndex(n),this.setAttribute(`position`,new Qp(r,3)),this.setAttribute(`normal`,new Qp(i,3)),this.setAttribute(`uv`,new Qp(a,2));function c(e){let o=r.length/3,c=e.extractPoints(t),l=c.shape,u=c.holes;Lg.isClockWise(l)===!1&&(l=l.reverse());for(let e=0,t=u.length;e<t;e++){let t=u[e];Lg.isClockWise(t)===!0&&(u[e]=t.reverse())}let d=Lg.triangulateShape(l,u);for(let e=0,t=u.length;e<t;e++){let t=u[e];l=l.concat(t)}for(let e=0,t=l.length;e<t;e++){let t=l[e];r.push(t.x,t.y,0),i.push(0,0,1),a.push(t.x,t.y)}for(let e=0,t=d.length;e<t;e++){let t=d[e],r=t[0]+o,i=t[1]+o,a=t[2]+o;n.push(r,i,a),s+=3}}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}toJSON(){let e=super.toJSON(),t=this.parameters.shapes;return Ug(t,e)}static fromJSON(t,n){let r=[];for(let e=0,i=t.shapes.length;e<i;e++){let i=n[t.shapes[e]];r.push(i)}return new e(r,t.curveSegments)}};function Ug(e,t){if(t.shapes=[],Array.isArray(e))for(let n=0,r=e.length;n<r;n++){let r=e[n];t.shapes.push(r.uuid)}else t.shapes.push(e.uuid);return t}var Wg=class e extends um{constructor(e=1,t=32,n=16,r=0,i=Math.PI*2,a=0,o=Math.PI){super(),this.type=`SphereGeometry`,this.parameters={radius:e,widthSegments:t,heightSegments:n,phiStart:r,phiLength:i,thetaStart:a,thetaLength:o},t=Math.max(3,Math.floor(t)),n=Math.max(2,Math.floor(n));let s=Math.min(a+o,Math.PI),c=0,l=[],u=new Z,d=new Z,f=[],p=[],m=[],h=[];for(let f=0;f<=n;f++){let g=[],_=f/n,v=a+_*o,y=e*Math.cos(v),b=Math.sqrt(e*e-y*y),x=0;f===0&&a===0?x=.5/t:f===n&&s===Math.PI&&(x=-.5/t);for(let e=0;e<=t;e++){let n=e/t,a=r+n*i;u.x=-b*Math.cos(a),u.y=y,u.z=b*Math.sin(a),p.push(u.x,u.y,u.z),d.copy(u).normalize(),m.push(d.x,d.y,d.z),h.push(n+x,1-_),g.push(c++)}l.push(g)}for(let e=0;e<n;e++)for(let r=0;r<t;r++){let t=l[e][r+1],i=l[e][r],o=l[e+1][r],c=l[e+1][r+1];(e!==0||a>0)&&f.push(t,i,c),(e!==n-1||s<Math.PI)&&f.push(i,o,c)}this.setIndex(f),this.setAttribute(`position`,new Qp(p,3)),this.setAttribute(`normal`,new Qp(m,3)),this.setAttribute(`uv`,new Qp(h,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(t){return new e(t.radius,t.widthSegments,t.heightSegments,t.phiStart,t.phiLength,t.thetaStart,t.thetaLength)}},Gg=class extends um{constructor(e=null){if(super(),this.type=`WireframeGeometry`,this.parameters={geometry:e},e!==null){let t=[],n=new Set,r=new Z,i=new Z;if(e.index!==null){let a=e.attributes.position,o=e.index,s=e.groups;s.length===0&&(s=[{start:0,count:o.count,materialIndex:0}]);for(let e=0,c=s.length;e<c;++e){let c=s[e],l=c.start,u=c.count;for(let e=l,s=l+u;e<s;e+=3)for(let s=0;s<3;s++){let c=o.getX(e+s),l=o.getX(e+(s+1)%3);r.fromBufferAttribute(a,c),i.fromBufferAttribute(a,l),Kg(r,i,n)===!0&&(t.push(r.x,r.y,r.z),t.push(i.x,i.y,i.z))}}}else{let a=e.attributes.position;for(let e=0,o=a.count/3;e<o;e++)for(let o=0;o<3;o++){let s=3*e+o,c=3*e+(o+1)%3;r.fromBufferAttribute(a,s),i.fromBufferAttribute(a,c),Kg(r,i,n)===!0&&(t.push(r.x,r.y,r.z),t.push(i.x,i.y,i.z))}}this.setAttribute(`position`,new Qp(t,3))}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}};function Kg(e,t,n){let r=`${e.x},${e.y},${e.z}-${t.x},${t.y},${t.z}`,i=`${t.x},${t.y},${t.z}-${e.x},${e.y},${e.z}`;return n.has(r)===!0||n.has(i)===!0?!1:(n.add(r),n.add(i),!0)}function qg(e){let t={};for(let n in e){t[n]={};for(let r in e[n]){let i=e[n][r];if(Yg(i))i.isRenderTargetTexture?(Y(`UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms().`),t[n][r]=null):t[n][r]=i.clone();else if(Array.isArray(i)){if(Yg(i[0])){let e=[];for(let t=0,n=i.length;t<n;t++)e[t]=i[t].clone();t[n][r]=e}else t[n][r]=i.slice()}else t[n][r]=i}}return t}function Jg(e){let t={};for(let n=0;n<e.length;n++){let r=qg(e[n]);for(let e in r)t[e]=r[e]}return t}function Yg(e){return e&&(e.isColor||e.isMatrix3||e.isMatrix4||e.isVector2||e.isVector3||e.isVector4||e.isTexture||e.isQuaternion)}function Xg(e){let t=[];for(let n=0;n<e.length;n++)t.push(e[n].clone());return t}function Zg(e){let t=e.getRenderTarget();return t===null?e.outputColorSpace:t.isXRRenderTarget===!0?t.texture.colorSpace:_f.workingColorSpace}var Qg={clone:qg,merge:Jg},$g=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,e_=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`,t_=class extends bm{constructor(e){super(),this.isShaderMaterial=!0,this.type=`ShaderMaterial`,this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=$g,this.fragmentShader=e_,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,e!==void 0&&this.setValues(e)}copy(e){return super.copy(e),this.fragmentShader=e.fragmentShader,this.vertexShader=e.vertexShader,this.uniforms=qg(e.uniforms),this.uniformsGroups=Xg(e.uniformsGroups),this.defines=Object.assign({},e.defines),this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.fog=e.fog,this.lights=e.lights,this.clipping=e.clipping,this.extensions=Object.assign({},e.extensions),this.glslVersion=e.glslVersion,this.defaultAttributeValues=Object.assign({},e.defaultAttributeValues),this.index0AttributeName=e.index0AttributeName,this.uniformsNeedUpdate=e.uniformsNeedUpdate,this}toJSON(e){let t=super.toJSON(e);t.glslVersion=this.glslVersion,t.uniforms={};for(let n in this.uniforms){let r=this.uniforms[n].value;r&&r.isTexture?t.uniforms[n]={type:`t`,value:r.toJSON(e).uuid}:r&&r.isColor?t.uniforms[n]={type:`c`,value:r.getHex()}:r&&r.isVector2?t.uniforms[n]={type:`v2`,value:r.toArray()}:r&&r.isVector3?t.uniforms[n]={type:`v3`,value:r.toArray()}:r&&r.isVector4?t.uniforms[n]={type:`v4`,value:r.toArray()}:r&&r.isMatrix3?t.uniforms[n]={type:`m3`,value:r.toArray()}:r&&r.isMatrix4?t.uniforms[n]={type:`m4`,value:r.toArray()}:t.uniforms[n]={value:r}}Object.keys(this.defines).length>0&&(t.defines=this.defines),t.vertexShader=this.vertexShader,t.fragmentShader=this.fragmentShader,t.lights=this.lights,t.clipping=this.clipping;let n={};for(let e in this.extensions)this.extensions[e]===!0&&(n[e]=!0);return Object.keys(n).length>0&&(t.extensions=n),t}fromJSON(e,t){if(super.fromJSON(e,t),e.uniforms!==void 0)for(let n in e.uniforms){let r=e.uniforms[n];switch(this.uniforms[n]={},r.type){case`t`:this.uniforms[n].value=t[r.value]||null;break;case`c`:this.uniforms[n].value=new Q().setHex(r.value);break;case`v2`:this.uniforms[n].value=new X().fromArray(r.value);break;case`v3`:this.uniforms[n].value=new Z().fromArray(r.value);break;case`v4`:this.uniforms[n].value=new Of().fromArray(r.value);break;case`m3`:this.uniforms[n].value=new ff().fromArray(r.value);break;case`m4`:this.uniforms[n].value=new Nf().fromArray(r.value);break;default:this.uniforms[n].value=r.value}}if(e.defines!==void 0&&(this.defines=e.defines),e.vertexShader!==void 0&&(this.vertexShader=e.vertexShader),e.fragmentShader!==void 0&&(this.fragmentShader=e.fragmentShader),e.glslVersion!==void 0&&(this.glslVersion=e.glslVersion),e.extensions!==void 0)for(let t in e.extensions)this.extensions[t]=e.extensions[t];return e.lights!==void 0&&(this.lights=e.lights),e.clipping!==void 0&&(this.clipping=e.clipping),this}},n_=class extends t_{constructor(e){super(e),this.isRawShaderMaterial=!0,this.type=`RawShaderMaterial`}},r_=class extends bm{constructor(e){super(),this.isMeshLambertMaterial=!0,this.type=`MeshLambertMaterial`,this.color=new Q(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new Q(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=0,this.normalScale=new X(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new Uf,this.combine=0,this.reflectivity=1,this.envMapIntensity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap=`round`,this.wireframeLinejoin=`round`,this.flatShading=!1,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.lightMap=e.lightMap,this.lightMapIntensity=e.lightMapIntensity,this.aoMap=e.aoMap,this.aoMapIntensity=e.aoMapIntensity,this.emissive.copy(e.emissive),this.emissiveMap=e.emissiveMap,this.emissiveIntensity=e.emissiveIntensity,this.bumpMap=e.bumpMap,this.bumpScale=e.bumpScale,this.normalMap=e.normalMap,this.normalMapType=e.normalMapType,this.normalScale.copy(e.normalScale),this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this.specularMap=e.specularMap,this.alphaMap=e.alphaMap,this.envMap=e.envMap,this.envMapRotation.copy(e.envMapRotation),this.combine=e.combine,this.reflectivity=e.reflectivity,this.envMapIntensity=e.envMapIntensity,this.refractionRatio=e.refractionRatio,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.wireframeLinecap=e.wireframeLinecap,this.wireframeLinejoin=e.wireframeLinejoin,this.flatShading=e.flatShading,this.fog=e.fog,this}},i_=class extends bm{constructor(e){super(),this.isMeshDepthMaterial=!0,this.type=`MeshDepthMaterial`,this.depthPacking=md,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(e)}copy(e){return super.copy(e),this.depthPacking=e.depthPacking,this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this}},a_=class extends bm{constructor(e){super(),this.isMeshDistanceMaterial=!0,this.type=`MeshDistanceMaterial`,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(e)}copy(e){return super.copy(e),this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this}},o_=class extends Jm{constructor(e){super(),this.isLineDashedMaterial=!0,this.type=`LineDashedMaterial`,this.scale=1,this.dashSize=3,this.gapSize=1,this.setValues(e)}copy(e){return super.copy(e),this.scale=e.scale,this.dashSize=e.dashSize,this.gapSize=e.gapSize,this}};function s_(e,t){return!e||e.constructor===t?e:typeof t.BYTES_PER_ELEMENT==`number`?new t(e):Array.prototype.slice.call(e)}function c_(e){return e!==void 0&&e.inTangents!==void 0&&e.outTangents!==void 0}var l_=class{constructor(e,t,n,r){this.parameterPositions=e,this._cachedIndex=0,this.resultBuffer=r===void 0?new t.constructor(n):r,this.sampleValues=t,this.valueSize=n,this.settings=null,this.DefaultSettings_={}}evaluate(e){let t=this.parameterPositions,n=this._cachedIndex,r=t[n],i=t[n-1];validate_interval:{seek:{let a;linear_scan:{forward_scan:if(!(e<r)){for(let a=n+2;;){if(r===void 0){if(e<i)break forward_scan;return n=t.length,this._cachedIndex=n,this.copySampleValue_(n-1)}if(n===a)break;if(i=r,r=t[++n],e<r)break seek}a=t.length;break linear_scan}if(!(e>=i)){let o=t[1];e<o&&(n=2,i=o);for(let a=n-2;;){if(i===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(n===a)break;if(r=i,i=t[--n-1],e>=i)break seek}a=n,n=0;break linear_scan}break validate_interval}for(;n<a;){let r=n+a>>>1;e<t[r]?a=r:n=r+1}if(r=t[n],i=t[n-1],i===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(r===void 0)return n=t.length,this._cachedIndex=n,this.copySampleValue_(n-1)}this._cachedIndex=n,this.intervalChanged_(n,i,r)}return this.interpolate_(n,i,e,r)}getSettings_(){return this.settings||this.DefaultSettings_}copySampleValue_(e){let t=this.resultBuffer,n=this.sampleValues,r=this.valueSize,i=e*r;for(let e=0;e!==r;++e)t[e]=n[i+e];return t}interpolate_(){throw Error(`THREE.Interpolant: Call to abstract method.`)}intervalChanged_(){}},u_=class extends l_{constructor(e,t,n,r){super(e,t,n,r),this._weightPrev=-0,this._offsetPrev=-0,this._weightNext=-0,this._offsetNext=-0,this.DefaultSettings_={endingStart:dd,endingEnd:dd}}intervalChanged_(e,t,n){let r=this.parameterPositions,i=e-2,a=e+1,o=r[i],s=r[a];if(o===void 0)switch(this.getSettings_().endingStart){case fd:i=e,o=2*t-n;break;case pd:i=r.length-2,o=t+r[i]-r[i+1];break;default:i=e,o=n}if(s===void 0)switch(this.getSettings_().endingEnd){case fd:a=e,s=2*n-t;break;case pd:a=1,s=n+r[1]-r[0];break;default:a=e-1,s=t}let c=(n-t)*.5,l=this.valueSize;this._weightPrev=c/(t-o),this._weightNext=c/(s-n),this._offsetPrev=i*l,this._offsetNext=a*l}interpolate_(e,t,n,r){let i=this.resultBuffer,a=this.sampleValues,o=this.valueSize,s=e*o,c=s-o,l=this._offsetPrev,u=this._offsetNext,d=this._weightPrev,f=this._weightNext,p=(n-t)/(r-t),m=p*p,h=m*p,g=-d*h+2*d*m-d*p,_=(1+d)*h+(-1.5-2*d)*m+(-.5+d)*p+1,v=(-1-f)*h+(1.5+f)*m+.5*p,y=f*h-f*m;for(let e=0;e!==o;++e)i[e]=g*a[l+e]+_*a[c+e]+v*a[s+e]+y*a[u+e];return i}},d_=class extends l_{constructor(e,t,n,r){super(e,t,n,r)}interpolate_(e,t,n,r){let i=this.resultBuffer,a=this.sampleValues,o=this.valueSize,s=e*o,c=s-o,l=(n-t)/(r-t),u=1-l;for(let e=0;e!==o;++e)i[e]=a[c+e]*u+a[s+e]*l;return i}},f_=class extends l_{constructor(e,t,n,r){super(e,t,n,r)}interpolate_(e){return this.copySampleValue_(e-1)}},p_=class extends l_{interpolate_(e,t,n,r){let i=this.resultBuffer,a=this.sampleValues,o=this.valueSize,s=e*o,c=s-o,l=this.inTangents,u=this.outTangents;if(!l||!u){let e=(n-t)/(r-t),l=1-e;for(let t=0;t!==o;++t)i[t]=a[c+t]*l+a[s+t]*e;return i}let d=o*2,f=e-1;for(let p=0;p!==o;++p){let o=a[c+p],m=a[s+p],h=f*d+p*2,g=u[h],_=u[h+1],v=e*d+p*2,y=l[v],b=l[v+1],x=g_(n,t,g,y,r);i[p]=m_(x,o,_,b,m)}return i}};function m_(e,t,n,r,i){let a=1-e;return a*a*a*t+3*a*a*e*n+3*a*e*e*r+e*e*e*i}function h_(e,t,n,r,i){let a=1-e;return 3*a*a*(n-t)+6*a*e*(r-n)+3*e*e*(i-r)}function g_(e,t,n,r,i){let a=(e-t)/(i-t);for(let o=0;o<8;o++){let o=m_(a,t,n,r,i)-e;if(Math.abs(o)<1e-10)break;let s=h_(a,t,n,r,i);if(Math.abs(s)<1e-10)break;a=Math.max(0,Math.min(1,a-o/s))}return a}var __=class{constructor(e,t,n,r){if(e===void 0)throw Error(`THREE.KeyframeTrack: track name is undefined`);if(t===void 0||t.length===0)throw Error(`THREE.KeyframeTrack: no keyframes in track named `+e);this.name=e,this.times=s_(t,this.TimeBufferType),this.values=s_(n,this.ValueBufferType),this.setInterpolation(r||this.DefaultInterpolation)}static toJSON(e){let t=e.constructor,n;if(t.toJSON!==this.toJSON)n=t.toJSON(e);else{n={name:e.name,times:s_(e.times,Array),values:s_(e.values,Array)};let t=e.getInterpolation();t!==e.DefaultInterpolation&&(n.interpolation=t),c_(e.settings)&&(n.settings={inTangents:s_(e.settings.inTangents,Array),outTangents:s_(e.settings.outTangents,Array)})}return n.type=e.ValueTypeName,n}InterpolantFactoryMethodDiscrete(e){return new f_(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodLinear(e){return new d_(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodSmooth(e){return new u_(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodBezier(e){let t=new p_(this.times,this.values,this.getValueSize(),e);return this.settings&&(t.inTangents=this.settings.inTangents,t.outTangents=this.settings.outTangents),t}setInterpolation(e){let t;switch(e){case sd:t=this.InterpolantFactoryMethodDiscrete;break;case cd:t=this.InterpolantFactoryMethodLinear;break;case ld:t=this.InterpolantFactoryMethodSmooth;break;case ud:t=this.InterpolantFactoryMethodBezier}if(t===void 0){let t=`unsupported interpolation for `+this.ValueTypeName+` keyframe track named `+this.name;if(this.createInterpolant===void 0){if(e!==this.DefaultInterpolation)this.setInterpolation(this.DefaultInterpolation);else throw Error(t)}return Y(`KeyframeTrack:`,t),this}return this.createInterpolant=t,this}getInterpolation(){switch(this.createInterpolant){case this.InterpolantFactoryMethodDiscrete:return sd;case this.InterpolantFactoryMethodLinear:return cd;case this.InterpolantFactoryMethodSmooth:return ld;case this.InterpolantFactoryMethodBezier:return ud}}getValueSize(){return this.values.length/this.times.length}shift(e){if(e!==0){let t=this.times;for(let n=0,r=t.length;n!==r;++n)t[n]+=e;c_(this.settings)&&(v_(this.settings.inTangents,e),v_(this.settings.outTangents,e))}return this}scale(e){if(e!==1){let t=this.times;for(let n=0,r=t.length;n!==r;++n)t[n]*=e;c_(this.settings)&&(y_(this.settings.inTangents,e),y_(this.settings.outTangents,e))}return this}trim(e,t){let n=this.times,r=n.length,i=0,a=r-1;for(;i!==r&&n[i]<e;)++i;for(;a!==-1&&n[a]>t;)--a;if(++a,i!==0||a!==r){i>=a&&(a=Math.max(a,1),i=a-1);let e=this.getValueSize();this.times=n.slice(i,a),this.values=this.values.slice(i*e,a*e)}return this}validate(){let e=!0,t=this.getValueSize();t-Math.floor(t)!==0&&(kd(`KeyframeTrack: Invalid value size in track.`,this),e=!1);let n=this.times,r=this.values,i=n.length;i===0&&(kd(`KeyframeTrack: Track is empty.`,this),e=!1);let a=null;for(let t=0;t!==i;t++){let r=n[t];if(typeof r==`number`&&isNaN(r)){kd(`KeyframeTrack: Time is not a valid number.`,this,t,r),e=!1;break}if(a!==null&&a>r){kd(`KeyframeTrack: Out of order keys.`,this,t,r,a),e=!1;break}a=r}if(r!==void 0&&Cd(r))for(let t=0,n=r.length;t!==n;++t){let n=r[t];if(isNaN(n)){kd(`KeyframeTrack: Value is not a valid number.`,this,t,n),e=!1;break}}return e}optimize(){let e=this.times.slice(),t=this.values.slice(),n=this.getValueSize(),r=this.getInterpolation()===ld,i=e.length-1,a=1;for(let o=1;o<i;++o){let i=!1,s=e[o];if(s!==e[o+1]&&(o!==1||s!==e[0])){if(r)i=!0;else{let e=o*n,r=e-n,a=e+n;for(let o=0;o!==n;++o){let n=t[e+o];if(n!==t[r+o]||n!==t[a+o]){i=!0;break}}}}if(i){if(o!==a){e[a]=e[o];let r=o*n,i=a*n;for(let e=0;e!==n;++e)t[i+e]=t[r+e]}++a}}if(i>0){e[a]=e[i];for(let e=i*n,r=a*n,o=0;o!==n;++o)t[r+o]=t[e+o];++a}return a===e.length?(this.times=e,this.values=t):(this.times=e.slice(0,a),this.values=t.slice(0,a*n)),this}clone(){let e=this.times.slice(),t=this.values.slice(),n=this.constructor,r=new n(this.name,e,t);return r.createInterpolant=this.createInterpolant,c_(this.settings)&&(r.settings={inTangents:this.settings.inTangents.slice(),outTangents:this.settings.outTangents.slice()}),r}};function v_(e,t){for(let n=0,r=e.length;n!==r;n+=2)e[n]+=t}function y_(e,t){for(let n=0,r=e.length;n!==r;n+=2)e[n]*=t}__.prototype.ValueTypeName=``,__.prototype.TimeBufferType=Float32Array,__.prototype.ValueBufferType=Float32Array,__.prototype.DefaultInterpolation=cd;var b_=class extends __{constructor(e,t,n){super(e,t,n)}};b_.prototype.ValueTypeName=`bool`,b_.prototype.ValueBufferType=Array,b_.prototype.DefaultInterpolation=sd,b_.prototype.InterpolantFactoryMethodLinear=void 0,b_.prototype.InterpolantFactoryMethodSmooth=void 0;var x_=class extends __{constructor(e,t,n,r){super(e,t,n,r)}};x_.prototype.ValueTypeName=`color`;var S_=class extends __{constructor(e,t,n,r){super(e,t,n,r)}};S_.prototype.ValueTypeName=`number`;var C_=class extends l_{constructor(e,t,n,r){super(e,t,n,r)}interpolate_(e,t,n,r){let i=this.resultBuffer,a=this.sampleValues,o=this.valueSize,s=(n-t)/(r-t),c=e*o;for(let e=c+o;c!==e;c+=4)lf.slerpFlat(i,0,a,c-o,a,c,s);return i}},w_=class extends __{constructor(e,t,n,r){super(e,t,n,r)}InterpolantFactoryMethodLinear(e){return new C_(this.times,this.values,this.getValueSize(),e)}};w_.prototype.ValueTypeName=`quaternion`,w_.prototype.InterpolantFactoryMethodSmooth=void 0;var T_=class extends __{constructor(e,t,n){super(e,t,n)}};T_.prototype.ValueTypeName=`string`,T_.prototype.ValueBufferType=Array,T_.prototype.DefaultInterpolation=sd,T_.prototype.InterpolantFactoryMethodLinear=void 0,T_.prototype.InterpolantFactoryMethodSmooth=void 0;var E_=class extends __{constructor(e,t,n,r){super(e,t,n,r)}};E_.prototype.ValueTypeName=`vector`;var D_=class extends op{static registerNode(e){this.prototype._lightNode=e}constructor(e,t=1){super(),this.isLight=!0,this.type=`Light`,this.color=new Q(e),this.intensity=t}copy(e,t){return super.copy(e,t),this.color.copy(e.color),this.intensity=e.intensity,this}toJSON(e){let t=super.toJSON(e);return t.object.color=this.color.getHex(),t.object.intensity=this.intensity,t}},O_=class extends D_{constructor(e,t,n){super(e,n),this.isHemisphereLight=!0,this.type=`HemisphereLight`,this.position.copy(op.DEFAULT_UP),this.updateMatrix(),this.groundColor=new Q(t)}copy(e,t){return super.copy(e,t),this.groundColor.copy(e.groundColor),this}toJSON(e){let t=super.toJSON(e);return t.object.groundColor=this.groundColor.getHex(),t}},k_=new Nf,A_=new Z,j_=new Z,M_=class{constructor(e){this.camera=e,this.intensity=1,this.bias=0,this.biasNode=null,this.normalBias=0,this.radius=1,this.blurSamples=8,this.mapSize=new X(512,512),this.mapType=nu,this.map=null,this.mapPass=null,this.matrix=new Nf,this.autoUpdate=!0,this.needsUpdate=!1,this._frustum=new Gm,this._frameExtents=new X(1,1),this._viewportCount=1,this._viewports=[new Of(0,0,1,1)]}getViewportCount(){return this._viewportCount}getCamera(){return this.camera}getFrustum(){return this._frustum}updateMatrices(e){let t=this.camera;A_.setFromMatrixPosition(e.matrixWorld),t.position.copy(A_),j_.setFromMatrixPosition(e.target.matrixWorld),t.lookAt(j_),t.updateMatrixWorld(),this._updateMatrix(t,this.matrix,this._frustum)}_updateMatrix(e,t,n,r){k_.multiplyMatrices(e.projectionMatrix,e.matrixWorldInverse),n.setFromProjectionMatrix(k_,e.coordinateSystem,e.reversedDepth);let i=this._frameExtents,a=r?r.z/i.x:1,o=r?r.w/i.y:1,s=r?r.x/i.x:0,c=r?r.y/i.y:0;e.coordinateSystem===2001||e.reversedDepth?t.set(.5*a,0,0,.5*a+s,0,.5*o,0,.5*o+c,0,0,1,0,0,0,0,1):t.set(.5*a,0,0,.5*a+s,0,.5*o,0,.5*o+c,0,0,.5,.5,0,0,0,1),t.multiply(k_)}getViewport(e){return this._viewports[e]}getFrameExtents(){return this._frameExtents}dispose(){this.map&&this.map.dispose(),this.mapPass&&this.mapPass.dispose()}copy(e){return this.camera=e.camera.clone(),this.intensity=e.intensity,this.bias=e.bias,this.radius=e.radius,this.autoUpdate=e.autoUpdate,this.needsUpdate=e.needsUpdate,this.normalBias=e.normalBias,this.blurSamples=e.blurSamples,this.mapSize.copy(e.mapSize),this.mapType=e.mapType,this.biasNode=e.biasNode,this}clone(){return new this.constructor().copy(this)}toJSON(){let e={};return e.intensity=this.intensity,e.bias=this.bias,e.normalBias=this.normalBias,e.radius=this.radius,e.blurSamples=this.blurSamples,e.mapSize=this.mapSize.toArray(),e.mapType=this.mapType,e.camera=this.camera.toJSON(!1).object,delete e.camera.matrix,e}},N_=new Z,P_=new lf,F_=new Z,I_=class extends op{constructor(){super(),this.isCamera=!0,this.type=`Camera`,this.matrixWorldInverse=new Nf,this.projectionMatrix=new Nf,this.projectionMatrixInverse=new Nf,this.coordinateSystem=xd,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(e,t){return super.copy(e,t),this.matrixWorldInverse.copy(e.matrixWorldInverse),this.projectionMatrix.copy(e.projectionMatrix),this.projectionMatrixInverse.copy(e.projectionMatrixInverse),this.coordinateSystem=e.coordinateSystem,this}getWorldDirection(e){return super.getWorldDirection(e).negate()}updateMatrixWorld(e){super.updateMatrixWorld(e),this.matrixWorld.decompose(N_,P_,F_),F_.x===1&&F_.y===1&&F_.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(N_,P_,F_.set(1,1,1)).invert()}updateWorldMatrix(e,t,n=!1){super.updateWorldMatrix(e,t,n),this.matrixWorld.decompose(N_,P_,F_),F_.x===1&&F_.y===1&&F_.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(N_,P_,F_.set(1,1,1)).invert()}clone(){return new this.constructor().copy(this)}},L_=new Z,R_=new X,z_=new X,B_=class extends I_{constructor(e=50,t=1,n=.1,r=2e3){super(),this.isPerspectiveCamera=!0,this.type=`PerspectiveCamera`,this.fov=e,this.zoom=1,this.near=n,this.far=r,this.focus=10,this.aspect=t,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.fov=e.fov,this.zoom=e.zoom,this.near=e.near,this.far=e.far,this.focus=e.focus,this.aspect=e.aspect,this.view=e.view===null?null:Object.assign({},e.view),this.filmGauge=e.filmGauge,this.filmOffset=e.filmOffset,this}setFocalLength(e){let t=.5*this.getFilmHeight()/e;this.fov=Ld*2*Math.atan(t),this.updateProjectionMatrix()}getFocalLength(){let e=Math.tan(Id*.5*this.fov);return .5*this.getFilmHeight()/e}getEffectiveFOV(){return Ld*2*Math.atan(Math.tan(Id*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(e,t,n){L_.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),t.set(L_.x,L_.y).multiplyScalar(-e/L_.z),L_.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(L_.x,L_.y).multiplyScalar(-e/L_.z)}getViewSize(e,t){return this.getViewBounds(e,R_,z_),t.subVectors(z_,R_)}setViewOffset(e,t,n,r,i,a){this.aspect=e/t,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=n,this.view.offsetY=r,this.view.width=i,this.view.height=a,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let e=this.near,t=e*Math.tan(Id*.5*this.fov)/this.zoom,n=2*t,r=this.aspect*n,i=-.5*r,a=this.view;if(this.view!==null&&this.view.enabled){let e=a.fullWidth,o=a.fullHeight;i+=a.offsetX*r/e,t-=a.offsetY*n/o,r*=a.width/e,n*=a.height/o}let o=this.filmOffset;o!==0&&(i+=e*o/this.getFilmWidth()),this.projectionMatrix.makePerspective(i,i+r,t,t-n,e,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(e){let t=super.toJSON(e);return t.object.fov=this.fov,t.object.zoom=this.zoom,t.object.near=this.near,t.object.far=this.far,t.object.focus=this.focus,t.object.aspect=this.aspect,this.view!==null&&(t.object.view=Object.assign({},this.view)),t.object.filmGauge=this.filmGauge,t.object.filmOffset=this.filmOffset,t}},V_=class extends I_{constructor(e=-1,t=1,n=1,r=-1,i=.1,a=2e3){super(),this.isOrthographicCamera=!0,this.type=`OrthographicCamera`,this.zoom=1,this.view=null,this.left=e,this.right=t,this.top=n,this.bottom=r,this.near=i,this.far=a,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.left=e.left,this.right=e.right,this.top=e.top,this.bottom=e.bottom,this.near=e.near,this.far=e.far,this.zoom=e.zoom,this.view=e.view===null?null:Object.assign({},e.view),this}setViewOffset(e,t,n,r,i,a){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=n,this.view.offsetY=r,this.view.width=i,this.view.height=a,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let e=(this.right-this.left)/(2*this.zoom),t=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,r=(this.top+this.bottom)/2,i=n-e,a=n+e,o=r+t,s=r-t;if(this.view!==null&&this.view.enabled){let e=(this.right-this.left)/this.view.fullWidth/this.zoom,t=(this.top-this.bottom)/this.view.fullHeight/this.zoom;i+=e*this.view.offsetX,a=i+e*this.view.width,o-=t*this.view.offsetY,s=o-t*this.view.height}this.projectionMatrix.makeOrthographic(i,a,o,s,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(e){let t=super.toJSON(e);return t.object.zoom=this.zoom,t.object.left=this.left,t.object.right=this.right,t.object.top=this.top,t.object.bottom=this.bottom,t.object.near=this.near,t.object.far=this.far,this.view!==null&&(t.object.view=Object.assign({},this.view)),t}},H_=class extends M_{constructor(){super(new V_(-5,5,5,-5,.5,500)),this.isDirectionalLightShadow=!0}},U_=class extends D_{constructor(e,t){super(e,t),this.isDirectionalLight=!0,this.type=`DirectionalLight`,this.position.copy(op.DEFAULT_UP),this.updateMatrix(),this.target=new op,this.shadow=new H_}dispose(){super.dispose(),this.shadow.dispose()}copy(e){return super.copy(e),this.target=e.target.clone(),this.shadow=e.shadow.clone(),this}toJSON(e){let t=super.toJSON(e);return t.object.shadow=this.shadow.toJSON(),t.object.target=this.target.uuid,t}},W_=class extends um{constructor(){super(),this.isInstancedBufferGeometry=!0,this.type=`InstancedBufferGeometry`,this.instanceCount=1/0}copy(e){return super.copy(e),this.instanceCount=e.instanceCount,this}toJSON(){let e=super.toJSON();return e.instanceCount=this.instanceCount,e.isInstancedBufferGeometry=!0,e}},G_=-90,K_=1,q_=class extends op{constructor(e,t,n){super(),this.type=`CubeCamera`,this.renderTarget=n,this.coordinateSystem=null,this.activeMipmapLevel=0;let r=new B_(G_,K_,e,t);r.layers=this.layers,this.add(r);let i=new B_(G_,K_,e,t);i.layers=this.layers,this.add(i);let a=new B_(G_,K_,e,t);a.layers=this.layers,this.add(a);let o=new B_(G_,K_,e,t);o.layers=this.layers,this.add(o);let s=new B_(G_,K_,e,t);s.layers=this.layers,this.add(s);let c=new B_(G_,K_,e,t);c.layers=this.layers,this.add(c)}updateCoordinateSystem(){let e=this.coordinateSystem,t=this.children.concat(),[n,r,i,a,o,s]=t;for(let e of t)this.remove(e);if(e===2e3)n.up.set(0,1,0),n.lookAt(1,0,0),r.up.set(0,1,0),r.lookAt(-1,0,0),i.up.set(0,0,-1),i.lookAt(0,1,0),a.up.set(0,0,1),a.lookAt(0,-1,0),o.up.set(0,1,0),o.lookAt(0,0,1),s.up.set(0,1,0),s.lookAt(0,0,-1);else if(e===2001)n.up.set(0,-1,0),n.lookAt(-1,0,0),r.up.set(0,-1,0),r.lookAt(1,0,0),i.up.set(0,0,1),i.lookAt(0,1,0),a.up.set(0,0,-1),a.lookAt(0,-1,0),o.up.set(0,-1,0),o.lookAt(0,0,1),s.up.set(0,-1,0),s.lookAt(0,0,-1);else throw Error(`THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: `+e);for(let e of t)this.add(e),e.updateMatrixWorld()}update(e,t){this.parent===null&&this.updateMatrixWorld();let{renderTarget:n,activeMipmapLevel:r}=this;this.coordinateSystem!==e.coordinateSystem&&(this.coordinateSystem=e.coordinateSystem,this.updateCoordinateSystem());let[i,a,o,s,c,l]=this.children,u=e.getRenderTarget(),d=e.getActiveCubeFace(),f=e.getActiveMipmapLevel(),p=e.xr.enabled;e.xr.enabled=!1;let m=n.texture.mipmapsAutoUpdate;n.texture.mipmapsAutoUpdate=!1;let h=!1;h=e.isWebGLRenderer===!0?e.state.buffers.depth.getReversed():e.reversedDepthBuffer,e.setRenderTarget(n,0,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,i),e.setRenderTarget(n,1,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,a),e.setRenderTarget(n,2,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,o),e.setRenderTarget(n,3,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,s),e.setRenderTarget(n,4,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,c),n.texture.mipmapsAutoUpdate=m,e.setRenderTarget(n,5,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,l),e.setRenderTarget(u,d,f),e.xr.enabled=p,n.texture.needsPMREMUpdate=!0}},J_=class extends B_{constructor(e=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=e,this.perCameraFrustumCulled=!1}},Y_=`\\[\\]\\.:\\/`,X_=RegExp(`[\\[\\]\\.:\\/]`,`g`),Z_=`[^\\[\\]\\.:\\/]`,Q_=`[^`+Y_.replace(`\\.`,``)+`]`,$_=`((?:WC+[\\/:])*)`.replace(`WC`,Z_),ev=`(WCOD+)?`.replace(`WCOD`,Q_),tv=`(?:\\.(WC+)(?:\\[(.+)\\])?)?`.replace(`WC`,Z_),nv=`\\.(WC+)(?:\\[(.+)\\])?`.replace(`WC`,Z_),rv=RegExp(`^`+$_+ev+tv+nv+`$`),iv=[`material`,`materials`,`bones`,`map`],av=class{constructor(e,t,n){let r=n||ov.parseTrackName(t);this._targetGroup=e,this._bindings=e.subscribe_(t,r)}getValue(e,t){this.bind();let n=this._targetGroup.nCachedObjects_,r=this._bindings[n];r!==void 0&&r.getValue(e,t)}setValue(e,t){let n=this._bindings;for(let r=this._targetGroup.nCachedObjects_,i=n.length;r!==i;++r)n[r].setValue(e,t)}bind(){let e=this._bindings;for(let t=this._targetGroup.nCachedObjects_,n=e.length;t!==n;++t)e[t].bind()}unbind(){let e=this._bindings;for(let t=this._targetGroup.nCachedObjects_,n=e.length;t!==n;++t)e[t].unbind()}},ov=class e{constructor(t,n,r){this.path=n,this.parsedPath=r||e.parseTrackName(n),this.node=e.findNode(t,this.parsedPath.nodeName),this.rootNode=t,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}static create(t,n,r){return t&&t.isAnimationObjectGroup?new e.Composite(t,n,r):new e(t,n,r)}static sanitizeNodeName(e){return e.replace(/\s/g,`_`).replace(X_,``)}static parseTrackName(e){let t=rv.exec(e);if(t===null)throw Error(`THREE.PropertyBinding: Cannot parse trackName: `+e);let n={nodeName:t[2],objectName:t[3],objectIndex:t[4],propertyName:t[5],propertyIndex:t[6]},r=n.nodeName&&n.nodeName.lastIndexOf(`.`);if(r!==void 0&&r!==-1){let e=n.nodeName.substring(r+1);iv.indexOf(e)!==-1&&(n.nodeName=n.nodeName.substring(0,r),n.objectName=e)}if(n.propertyName===null||n.propertyName.length===0)throw Error(`THREE.PropertyBinding: can not parse propertyName from trackName: `+e);return n}static findNode(e,t){if(t===void 0||t===``||t===`.`||t===-1||t===e.name||t===e.uuid)return e;if(e.skeleton){let n=e.skeleton.getBoneByName(t);if(n!==void 0)return n}if(e.children){let n=function(e){for(let r=0;r<e.length;r++){let i=e[r];if(i.name===t||i.uuid===t)return i;let a=n(i.children);if(a)return a}return null},r=n(e.children);if(r)return r}return null}_getValue_unavailable(){}_setValue_unavailable(){}_getValue_direct(e,t){e[t]=this.targetObject[this.propertyName]}_getValue_array(e,t){let n=this.resolvedProperty;for(let r=0,i=n.length;r!==i;++r)e[t++]=n[r]}_getValue_arrayElement(e,t){e[t]=this.resolvedProperty[this.propertyIndex]}_getValue_toArray(e,t){this.resolvedProperty.toArray(e,t)}_setValue_direct(e,t){this.targetObject[this.propertyName]=e[t]}_setValue_direct_setNeedsUpdate(e,t){this.targetObject[this.propertyName]=e[t],this.targetObject.needsUpdate=!0}_setValue_direct_setMatrixWorldNeedsUpdate(e,t){this.targetObject[this.propertyName]=e[t],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_array(e,t){let n=this.resolvedProperty;for(let r=0,i=n.length;r!==i;++r)n[r]=e[t++]}_setValue_array_setNeedsUpdate(e,t){let n=this.resolvedProperty;for(let r=0,i=n.length;r!==i;++r)n[r]=e[t++];this.targetObject.needsUpdate=!0}_setValue_array_setMatrixWorldNeedsUpdate(e,t){let n=this.resolvedProperty;for(let r=0,i=n.length;r!==i;++r)n[r]=e[t++];this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_arrayElement(e,t){this.resolvedProperty[this.propertyIndex]=e[t]}_setValue_arrayElement_setNeedsUpdate(e,t){this.resolvedProperty[this.propertyIndex]=e[t],this.targetObject.needsUpdate=!0}_setValue_arrayElement_setMatrixWorldNeedsUpdate(e,t){this.resolvedProperty[this.propertyIndex]=e[t],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_fromArray(e,t){this.resolvedProperty.fromArray(e,t)}_setValue_fromArray_setNeedsUpdate(e,t){this.resolvedProperty.fromArray(e,t),this.targetObject.needsUpdate=!0}_setValue_fromArray_setMatrixWorldNeedsUpdate(e,t){this.resolvedProperty.fromArray(e,t),this.targetObject.matrixWorldNeedsUpdate=!0}_getValue_unbound(e,t){this.bind(),this.getValue(e,t)}_setValue_unbound(e,t){this.bind(),this.setValue(e,t)}bind(){let t=this.node,n=this.parsedPath,r=n.objectName,i=n.propertyName,a=n.propertyIndex;if(t||(t=e.findNode(this.rootNode,n.nodeName),this.node=t),this.getValue=this._getValue_unavailable,this.setValue=this._setValue_unavailable,!t){Y(`PropertyBinding: No target node found for track: `+this.path+`.`);return}if(r){let e=n.objectIndex;switch(r){case`materials`:if(!t.material){kd(`PropertyBinding: Can not bind to material as node does not have a material.`,this);return}if(!t.material.materials){kd(`PropertyBinding: Can not bind to material.materials as node.material does not have a materials array.`,this);return}t=t.material.materials;break;case`bones`:if(!t.skeleton){kd(`PropertyBinding: Can not bind to bones as node does not have a skeleton.`,this);return}t=t.skeleton.bones;for(let n=0;n<t.length;n++)if(t[n].name===e){e=n;break}break;case`map`:if(`map`in t){t=t.map;break}if(!t.material){kd(`PropertyBinding: Can not bind to material as node does not have a material.`,this);return}if(!t.material.map){kd(`PropertyBinding: Can not bind to material.map as node.material does not have a map.`,this);return}t=t.material.map;break;default:if(t[r]===void 0){kd(`PropertyBinding: Can not bind to objectName of node undefined.`,this);return}t=t[r]}if(e!==void 0){if(t[e]===void 0){kd(`PropertyBinding: Trying to bind to objectIndex of objectName, but is undefined.`,this,t);return}t=t[e]}}let o=t[i];if(o===void 0){let e=n.nodeName;kd(`PropertyBinding: Trying to update property for track: `+e+`.`+i+` but it wasn't found.`,t);return}let s=this.Versioning.None;this.targetObject=t,t.isMaterial===!0?s=this.Versioning.NeedsUpdate:t.isObject3D===!0&&(s=this.Versioning.MatrixWorldNeedsUpdate);let c=this.BindingType.Direct;if(a!==void 0){if(i===`morphTargetInfluences`){if(!t.geometry){kd(`PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.`,this);return}if(!t.geometry.morphAttributes){kd(`PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.morphAttributes.`,this);return}t.morphTargetDictionary[a]!==void 0&&(a=t.morphTargetDictionary[a])}c=this.BindingType.ArrayElement,this.resolvedProperty=o,this.propertyIndex=a}else o.fromArray!==void 0&&o.toArray!==void 0?(c=this.BindingType.HasFromToArray,this.resolvedProperty=o):Array.isArray(o)?(c=this.BindingType.EntireArray,this.resolvedProperty=o):this.propertyName=i;this.getValue=this.GetterByBindingType[c],this.setValue=this.SetterByBindingTypeAndVersioning[c][s]}unbind(){this.node=null,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}};ov.Composite=av,ov.prototype.BindingType={Direct:0,EntireArray:1,ArrayElement:2,HasFromToArray:3},ov.prototype.Versioning={None:0,NeedsUpdate:1,MatrixWorldNeedsUpdate:2},ov.prototype.GetterByBindingType=[ov.prototype._getValue_direct,ov.prototype._getValue_array,ov.prototype._getValue_arrayElement,ov.prototype._getValue_toArray],ov.prototype.SetterByBindingTypeAndVersioning=[[ov.prototype._setValue_direct,ov.prototype._setValue_direct_setNeedsUpdate,ov.prototype._setValue_direct_setMatrixWorldNeedsUpdate],[ov.prototype._setValue_array,ov.prototype._setValue_array_setNeedsUpdate,ov.prototype._setValue_array_setMatrixWorldNeedsUpdate],[ov.prototype._setValue_arrayElement,ov.prototype._setValue_arrayElement_setNeedsUpdate,ov.prototype._setValue_arrayElement_setMatrixWorldNeedsUpdate],[ov.prototype._setValue_fromArray,ov.prototype._setValue_fromArray_setNeedsUpdate,ov.prototype._setValue_fromArray_setMatrixWorldNeedsUpdate]];var sv=class extends dm{constructor(e,t,n=1){super(e,t),this.isInstancedInterleavedBuffer=!0,this.meshPerAttribute=n}copy(e){return super.copy(e),this.meshPerAttribute=e.meshPerAttribute,this}clone(e){let t=super.clone(e);return t.meshPerAttribute=this.meshPerAttribute,t}toJSON(e){let t=super.toJSON(e);return t.isInstancedInterleavedBuffer=!0,t.meshPerAttribute=this.meshPerAttribute,t}},cv=new Nf,lv=class{constructor(e,t,n=0,r=1/0){this.ray=new Tm(e,t),this.near=n,this.far=r,this.camera=null,this.layers=new Wf,this.params={Mesh:{},Line:{threshold:1},LOD:{},Points:{threshold:1},Sprite:{}}}set(e,t){this.ray.set(e,t)}setFromCamera(e,t){t.isPerspectiveCamera?(this.ray.origin.setFromMatrixPosition(t.matrixWorld),this.ray.direction.set(e.x,e.y,.5).unproject(t).sub(this.ray.origin).normalize(),this.camera=t):t.isOrthographicCamera?(this.ray.origin.set(e.x,e.y,t.projectionMatrix.elements[14]).unproject(t),this.ray.direction.set(0,0,-1).transformDirection(t.matrixWorld),this.camera=t):kd(`Raycaster: Unsupported camera type: `+t.type)}setFromXRController(e){return cv.identity().extractRotation(e.matrixWorld),this.ray.origin.setFromMatrixPosition(e.matrixWorld),this.ray.direction.set(0,0,-1).applyMatrix4(cv),this}intersectObject(e,t=!0,n=[]){return dv(e,this,n,t),n.sort(uv),n}intersectObjects(e,t=!0,n=[]){for(let r=0,i=e.length;r<i;r++)dv(e[r],this,n,t);return n.sort(uv),n}};function uv(e,t){return e.distance-t.distance}function dv(e,t,n,r){let i=!0;if(e.layers.test(t.layers)&&e.raycast(t,n)===!1&&(i=!1),i===!0&&r===!0){let r=e.children;for(let e=0,i=r.length;e<i;e++)dv(r[e],t,n,!0)}}var fv=class{constructor(e=1,t=0,n=0){this.radius=e,this.phi=t,this.theta=n}set(e,t,n){return this.radius=e,this.phi=t,this.theta=n,this}copy(e){return this.radius=e.radius,this.phi=e.phi,this.theta=e.theta,this}makeSafe(){let e=1e-6;return this.phi=zd(this.phi,e,Math.PI-e),this}setFromVector3(e){return this.setFromCartesianCoords(e.x,e.y,e.z)}setFromCartesianCoords(e,t,n){return this.radius=Math.sqrt(e*e+t*t+n*n),this.radius===0?(this.theta=0,this.phi=0):(this.theta=Math.atan2(e,n),this.phi=Math.acos(zd(t/this.radius,-1,1))),this}clone(){return new this.constructor().copy(this)}};(class{static{this.prototype.isMatrix2=!0}constructor(e,t,n,r){this.elements=[1,0,0,1],e!==void 0&&this.set(e,t,n,r)}identity(){return this.set(1,0,0,1),this}fromArray(e,t=0){for(let n=0;n<4;n++)this.elements[n]=e[n+t];return this}set(e,t,n,r){let i=this.elements;return i[0]=e,i[2]=t,i[1]=n,i[3]=r,this}});var pv=new Z,mv=new Z,hv=new Z,gv=new Z,_v=new Z,vv=new Z,yv=new Z,bv=class{constructor(e=new Z,t=new Z){this.start=e,this.end=t}set(e,t){return this.start.copy(e),this.end.copy(t),this}copy(e){return this.start.copy(e.start),this.end.copy(e.end),this}getCenter(e){return e.addVectors(this.start,this.end).multiplyScalar(.5)}delta(e){return e.subVectors(this.end,this.start)}distanceSq(){return this.start.distanceToSquared(this.end)}distance(){return this.start.distanceTo(this.end)}at(e,t){return this.delta(t).multiplyScalar(e).add(this.start)}closestPointToPointParameter(e,t){pv.subVectors(e,this.start),mv.subVectors(this.end,this.start);let n=mv.dot(mv);if(n===0)return 0;let r=mv.dot(pv)/n;return t&&(r=zd(r,0,1)),r}closestPointToPoint(e,t,n){let r=this.closestPointToPointParameter(e,t);return this.delta(n).multiplyScalar(r).add(this.start)}distanceSqToLine3(e,t=vv,n=yv){let r=1e-8*1e-8,i,a,o=this.start,s=e.start,c=this.end,l=e.end;hv.subVectors(c,o),gv.subVectors(l,s),_v.subVectors(o,s);let u=hv.dot(hv),d=gv.dot(gv),f=gv.dot(_v);if(u<=r&&d<=r)return t.copy(o),n.copy(s),t.distanceToSquared(n);if(u<=r)i=0,a=f/d,a=zd(a,0,1);else{let e=hv.dot(_v);if(d<=r)a=0,i=zd(-e/u,0,1);else{let t=hv.dot(gv),n=u*d-t*t;i=n===0?0:zd((t*f-e*d)/n,0,1),a=(t*i+f)/d,a<0?(a=0,i=zd(-e/u,0,1)):a>1&&(a=1,i=zd((t-e)/u,0,1))}}return t.copy(o).addScaledVector(hv,i),n.copy(s).addScaledVector(gv,a),t.distanceToSquared(n)}applyMatrix4(e){return this.start.applyMatrix4(e),this.end.applyMatrix4(e),this}equals(e){return e.start.equals(this.start)&&e.end.equals(this.end)}clone(){return new this.constructor().copy(this)}},xv=class extends oh{constructor(e=10,t=10,n=4473924,r=8947848){n=new Q(n),r=new Q(r);let i=t/2,a=e/t,o=e/2,s=[],c=[];for(let e=0,l=0,u=-o;e<=t;e++,u+=a){s.push(-o,0,u,o,0,u),s.push(u,0,-o,u,0,o);let t=e===i?n:r;t.toArray(c,l),l+=3,t.toArray(c,l),l+=3,t.toArray(c,l),l+=3,t.toArray(c,l),l+=3}let l=new um;l.setAttribute(`position`,new Qp(s,3)),l.setAttribute(`color`,new Qp(c,3));let u=new Jm({vertexColors:!0,toneMapped:!1});super(l,u),this.type=`GridHelper`}dispose(){super.dispose(),this.geometry.dispose(),this.material.dispose()}},Sv=class extends oh{constructor(e=1){let t=[0,0,0,e,0,0,0,0,0,0,e,0,0,0,0,0,0,e],n=[1,0,0,1,.6,0,0,1,0,.6,1,0,0,0,1,0,.6,1],r=new um;r.setAttribute(`position`,new Qp(t,3)),r.setAttribute(`color`,new Qp(n,3));let i=new Jm({vertexColors:!0,toneMapped:!1});super(r,i),this.type=`AxesHelper`}setColors(e,t,n){let r=new Q,i=this.geometry.attributes.color.array;return r.set(e),r.toArray(i,0),r.toArray(i,3),r.set(t),r.toArray(i,6),r.toArray(i,9),r.set(n),r.toArray(i,12),r.toArray(i,15),this.geometry.attributes.color.needsUpdate=!0,this}dispose(){super.dispose(),this.geometry.dispose(),this.material.dispose()}},Cv=class extends Nd{constructor(e,t=null){super(),this.object=e,this.domElement=t,this.enabled=!0,this.state=-1,this.keys={},this.mouseButtons={LEFT:null,MIDDLE:null,RIGHT:null},this.touches={ONE:null,TWO:null}}connect(e){this.domElement!==null&&this.disconnect(),this.domElement=e}disconnect(){}dispose(){}update(){}};function wv(e,t,n,r){let i=Tv(r);switch(n){case hu:return e*t;case bu:return e*t/i.components*i.byteLength;case xu:return e*t/i.components*i.byteLength;case Su:return e*t*2/i.components*i.byteLength;case Cu:return e*t*2/i.components*i.byteLength;case gu:return e*t*3/i.components*i.byteLength;case _u:return e*t*4/i.components*i.byteLength;case wu:return e*t*4/i.components*i.byteLength;case Tu:case Eu:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*8;case Du:case Ou:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*16;case Au:case Mu:return Math.max(e,16)*Math.max(t,8)/4;case ku:case ju:return Math.max(e,8)*Math.max(t,8)/2;case Nu:case Pu:case Iu:case Lu:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*8;case Fu:case Ru:case zu:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*16;case Bu:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*16;case Vu:return Math.floor((e+4)/5)*Math.floor((t+3)/4)*16;case Hu:return Math.floor((e+4)/5)*Math.floor((t+4)/5)*16;case Uu:return Math.floor((e+5)/6)*Math.floor((t+4)/5)*16;case Wu:return Math.floor((e+5)/6)*Math.floor((t+5)/6)*16;case Gu:return Math.floor((e+7)/8)*Math.floor((t+4)/5)*16;case Ku:return Math.floor((e+7)/8)*Math.floor((t+5)/6)*16;case qu:return Math.floor((e+7)/8)*Math.floor((t+7)/8)*16;case Ju:return Math.floor((e+9)/10)*Math.floor((t+4)/5)*16;case Yu:return Math.floor((e+9)/10)*Math.floor((t+5)/6)*16;case Xu:return Math.floor((e+9)/10)*Math.floor((t+7)/8)*16;case Zu:return Math.floor((e+9)/10)*Math.floor((t+9)/10)*16;case Qu:return Math.floor((e+11)/12)*Math.floor((t+9)/10)*16;case $u:return Math.floor((e+11)/12)*Math.floor((t+11)/12)*16;case ed:case td:case nd:return Math.ceil(e/4)*Math.ceil(t/4)*16;case rd:case id:return Math.ceil(e/4)*Math.ceil(t/4)*8;case ad:case od:return Math.ceil(e/4)*Math.ceil(t/4)*16}throw Error(`Unable to determine texture byte length for ${n} format.`)}function Tv(e){switch(e){case nu:case ru:return{byteLength:1,components:1};case au:case iu:case lu:return{byteLength:2,components:1};case uu:case du:return{byteLength:2,components:4};case su:case ou:case cu:return{byteLength:4,components:1};case pu:case mu:return{byteLength:4,components:3}}throw Error(`THREE.TextureUtils: Unknown texture type ${e}.`)}typeof __THREE_DEVTOOLS__<`u`&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent(`register`,{detail:{revision:`187`}})),typeof window<`u`&&(window.__THREE__?Y(`WARNING: Multiple instances of Three.js being imported.`):window.__THREE__=`187`);function Ev(){let e=null,t=!1,n=null,r=null;function i(t,a){r=e.requestAnimationFrame(i),n(t,a)}return{start:function(){t!==!0&&n!==null&&e!==null&&(r=e.requestAnimationFrame(i),t=!0)},stop:function(){e!==null&&e.cancelAnimationFrame(r),t=!1},setAnimationLoop:function(e){n=e},setContext:function(t){e=t}}}function Dv(e){let t=new WeakMap;function n(t,n){let r=t.array,i=t.usage,a=r.byteLength,o=e.createBuffer();e.bindBuffer(n,o),e.bufferData(n,r,i),t.onUploadCallback();let s;if(r instanceof Float32Array)s=e.FLOAT;else if(typeof Float16Array<`u`&&r instanceof Float16Array)s=e.HALF_FLOAT;else if(r instanceof Uint16Array)s=t.isFloat16BufferAttribute?e.HALF_FLOAT:e.UNSIGNED_SHORT;else if(r instanceof Int16Array)s=e.SHORT;else if(r instanceof Uint32Array)s=e.UNSIGNED_INT;else if(r instanceof Int32Array)s=e.INT;else if(r instanceof Int8Array)s=e.BYTE;else if(r instanceof Uint8Array)s=e.UNSIGNED_BYTE;else if(r instanceof Uint8ClampedArray)s=e.UNSIGNED_BYTE;else throw Error(`THREE.WebGLAttributes: Unsupported buffer data format: `+r);return{buffer:o,type:s,bytesPerElement:r.BYTES_PER_ELEMENT,version:t.version,size:a}}function r(t,n,r){let i=n.array,a=n.updateRanges;if(e.bindBuffer(r,t),a.length===0)e.bufferSubData(r,0,i);else{a.sort((e,t)=>e.start-t.start);let t=0;for(let e=1;e<a.length;e++){let n=a[t],r=a[e];r.start<=n.start+n.count+1?n.count=Math.max(n.count,r.start+r.count-n.start):(++t,a[t]=r)}a.length=t+1;for(let t=0,n=a.length;t<n;t++){let n=a[t];e.bufferSubData(r,n.start*i.BYTES_PER_ELEMENT,i,n.start,n.count)}n.clearUpdateRanges()}n.onUploadCallback()}function i(e){return e.isInterleavedBufferAttribute&&(e=e.data),t.get(e)}function a(n){n.isInterleavedBufferAttribute&&(n=n.data);let r=t.get(n);r&&(e.deleteBuffer(r.buffer),t.delete(n))}function o(e,i){if(e.isInterleavedBufferAttribute&&(e=e.data),e.isGLBufferAttribute){let n=t.get(e);(!n||n.version<e.version)&&t.set(e,{buffer:e.buffer,type:e.type,bytesPerElement:e.elementSize,version:e.version});return}let a=t.get(e);if(a===void 0)t.set(e,n(e,i));else if(a.version<e.version){if(a.size!==e.array.byteLength)throw Error(`THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.`);r(a.buffer,e,i),a.version=e.version}}return{get:i,remove:a,update:o}}var Ov={alphahash_fragment:`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,alphahash_pars_fragment:`#ifdef USE_ALPHAHASH
	const float ALPHA_HASH_SCALE = 0.05;
	float hash2D( vec2 value ) {
		return fract( 1.0e4 * sin( 17.0 * value.x + 0.1 * value.y ) * ( 0.1 + abs( sin( 13.0 * value.y + value.x ) ) ) );
	}
	float hash3D( vec3 value ) {
		return hash2D( vec2( hash2D( value.xy ), value.z ) );
	}
	float getAlphaHashThreshold( vec3 position ) {
		float maxDeriv = max(
			length( dFdx( position.xyz ) ),
			length( dFdy( position.xyz ) )
		);
		float pixScale = 1.0 / ( ALPHA_HASH_SCALE * maxDeriv );
		vec2 pixScales = vec2(
			exp2( floor( log2( pixScale ) ) ),
			exp2( ceil( log2( pixScale ) ) )
		);
		vec2 alpha = vec2(
			hash3D( floor( pixScales.x * position.xyz ) ),
			hash3D( floor( pixScales.y * position.xyz ) )
		);
		float lerpFactor = fract( log2( pixScale ) );
		float x = ( 1.0 - lerpFactor ) * alpha.x + lerpFactor * alpha.y;
		float a = min( lerpFactor, 1.0 - lerpFactor );
		vec3 cases = vec3(
			x * x / ( 2.0 * a * ( 1.0 - a ) ),
			( x - 0.5 * a ) / ( 1.0 - a ),
			1.0 - ( ( 1.0 - x ) * ( 1.0 - x ) / ( 2.0 * a * ( 1.0 - a ) ) )
		);
		float threshold = ( x < ( 1.0 - a ) )
			? ( ( x < a ) ? cases.x : cases.y )
			: cases.z;
		return clamp( threshold , 1.0e-6, 1.0 );
	}
#endif`,alphamap_fragment:`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,alphamap_pars_fragment:`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,alphatest_fragment:`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,alphatest_pars_fragment:`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,aomap_fragment:`#ifdef USE_AOMAP
	float ambientOcclusion = ( texture2D( aoMap, vAoMapUv ).r - 1.0 ) * aoMapIntensity + 1.0;
	reflectedLight.indirectDiffuse *= ambientOcclusion;
	#if defined( USE_CLEARCOAT ) 
		clearcoatSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_SHEEN ) 
		sheenSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD )
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		reflectedLight.indirectSpecular *= computeSpecularOcclusion( dotNV, ambientOcclusion, material.roughness );
	#endif
#endif`,aomap_pars_fragment:`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,batching_pars_vertex:`#ifdef USE_BATCHING
	#if ! defined( GL_ANGLE_multi_draw )
	#define gl_DrawID _gl_DrawID
	uniform int _gl_DrawID;
	#endif
	uniform highp sampler2D batchingTexture;
	uniform highp usampler2D batchingIdTexture;
	mat4 getBatchingMatrix( const in float i ) {
		int size = textureSize( batchingTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( batchingTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( batchingTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( batchingTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( batchingTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
	float getIndirectIndex( const in int i ) {
		int size = textureSize( batchingIdTexture, 0 ).x;
		int x = i % size;
		int y = i / size;
		return float( texelFetch( batchingIdTexture, ivec2( x, y ), 0 ).r );
	}
#endif
#ifdef USE_BATCHING_COLOR
	uniform sampler2D batchingColorTexture;
	vec4 getBatchingColor( const in float i ) {
		int size = textureSize( batchingColorTexture, 0 ).x;
		int j = int( i );
		int x = j % size;
		int y = j / size;
		return texelFetch( batchingColorTexture, ivec2( x, y ), 0 );
	}
#endif`,batching_vertex:`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,begin_vertex:`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,beginnormal_vertex:`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,bsdfs:`float G_BlinnPhong_Implicit( ) {
	return 0.25;
}
float D_BlinnPhong( const in float shininess, const in float dotNH ) {
	return RECIPROCAL_PI * ( shininess * 0.5 + 1.0 ) * pow( dotNH, shininess );
}
vec3 BRDF_BlinnPhong( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 specularColor, const in float shininess ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( specularColor, 1.0, dotVH );
	float G = G_BlinnPhong_Implicit( );
	float D = D_BlinnPhong( shininess, dotNH );
	return F * ( G * D );
} // validated`,iridescence_fragment:`#ifdef USE_IRIDESCENCE
	const mat3 XYZ_TO_REC709 = mat3(
		 3.2404542, -0.9692660,  0.0556434,
		-1.5371385,  1.8760108, -0.2040259,
		-0.4985314,  0.0415560,  1.0572252
	);
	vec3 Fresnel0ToIor( vec3 fresnel0 ) {
		vec3 sqrtF0 = sqrt( fresnel0 );
		return ( vec3( 1.0 ) + sqrtF0 ) / ( vec3( 1.0 ) - sqrtF0 );
	}
	vec3 IorToFresnel0( vec3 transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - vec3( incidentIor ) ) / ( transmittedIor + vec3( incidentIor ) ) );
	}
	float IorToFresnel0( float transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - incidentIor ) / ( transmittedIor + incidentIor ));
	}
	vec3 evalSensitivity( float OPD, vec3 shift ) {
		float phase = 2.0 * PI * OPD * 1.0e-9;
		vec3 val = vec3( 5.4856e-13, 4.4201e-13, 5.2481e-13 );
		vec3 pos = vec3( 1.6810e+06, 1.7953e+06, 2.2084e+06 );
		vec3 var = vec3( 4.3278e+09, 9.3046e+09, 6.6121e+09 );
		vec3 xyz = val * sqrt( 2.0 * PI * var ) * cos( pos * phase + shift ) * exp( - pow2( phase ) * var );
		xyz.x += 9.7470e-14 * sqrt( 2.0 * PI * 4.5282e+09 ) * cos( 2.2399e+06 * phase + shift[ 0 ] ) * exp( - 4.5282e+09 * pow2( phase ) );
		xyz /= 1.0685e-7;
		vec3 rgb = XYZ_TO_REC709 * xyz;
		return rgb;
	}
	vec3 evalIridescence( float outsideIOR, float eta2, float cosTheta1, float thinFilmThickness, vec3 baseF0 ) {
		vec3 I;
		float iridescenceIOR = mix( outsideIOR, eta2, smoothstep( 0.0, 0.03, thinFilmThickness ) );
		float sinTheta2Sq = pow2( outsideIOR / iridescenceIOR ) * ( 1.0 - pow2( cosTheta1 ) );
		float cosTheta2Sq = 1.0 - sinTheta2Sq;
		if ( cosTheta2Sq < 0.0 ) {
			return vec3( 1.0 );
		}
		float cosTheta2 = sqrt( cosTheta2Sq );
		float R0 = IorToFresnel0( iridescenceIOR, outsideIOR );
		float R12 = F_Schlick( R0, 1.0, cosTheta1 );
		float T121 = 1.0 - R12;
		float phi12 = 0.0;
		if ( iridescenceIOR < outsideIOR ) phi12 = PI;
		float phi21 = PI - phi12;
		vec3 baseIOR = Fresnel0ToIor( clamp( baseF0, 0.0, 0.9999 ) );		vec3 R1 = IorToFresnel0( baseIOR, iridescenceIOR );
		vec3 R23 = F_Schlick( R1, 1.0, cosTheta2 );
		vec3 phi23 = vec3( 0.0 );
		if ( baseIOR[ 0 ] < iridescenceIOR ) phi23[ 0 ] = PI;
		if ( baseIOR[ 1 ] < iridescenceIOR ) phi23[ 1 ] = PI;
		if ( baseIOR[ 2 ] < iridescenceIOR ) phi23[ 2 ] = PI;
		float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
		vec3 phi = vec3( phi21 ) + phi23;
		vec3 R123 = clamp( R12 * R23, 1e-5, 0.9999 );
		vec3 r123 = sqrt( R123 );
		vec3 Rs = pow2( T121 ) * R23 / ( vec3( 1.0 ) - R123 );
		vec3 C0 = R12 + Rs;
		I = C0;
		vec3 Cm = Rs - T121;
		for ( int m = 1; m <= 2; ++ m ) {
			Cm *= r123;
			vec3 Sm = 2.0 * evalSensitivity( float( m ) * OPD, float( m ) * phi );
			I += Cm * Sm;
		}
		return max( I, vec3( 0.0 ) );
	}
#endif`,bumpmap_pars_fragment:`#ifdef USE_BUMPMAP
	uniform sampler2D bumpMap;
	uniform float bumpScale;
	vec2 dHdxy_fwd() {
		vec2 dSTdx = dFdx( vBumpMapUv );
		vec2 dSTdy = dFdy( vBumpMapUv );
		float Hll = bumpScale * texture2D( bumpMap, vBumpMapUv ).x;
		float dBx = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdx ).x - Hll;
		float dBy = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdy ).x - Hll;
		return vec2( dBx, dBy );
	}
	vec3 perturbNormalArb( vec3 surf_pos, vec3 surf_norm, vec2 dHdxy, float faceDirection ) {
		vec3 vSigmaX = normalize( dFdx( surf_pos.xyz ) );
		vec3 vSigmaY = normalize( dFdy( surf_pos.xyz ) );
		vec3 vN = surf_norm;
		vec3 R1 = cross( vSigmaY, vN );
		vec3 R2 = cross( vN, vSigmaX );
		float fDet = dot( vSigmaX, R1 ) * faceDirection;
		vec3 vGrad = sign( fDet ) * ( dHdxy.x * R1 + dHdxy.y * R2 );
		return normalize( abs( fDet ) * surf_norm - vGrad );
	}
#endif`,clipping_planes_fragment:`#if NUM_CLIPPING_PLANES > 0
	vec4 plane;
	#ifdef ALPHA_TO_COVERAGE
		float distanceToPlane, distanceGradient;
		float clipOpacity = 1.0;
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
			distanceGradient = fwidth( distanceToPlane ) / 2.0;
			clipOpacity *= smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			if ( clipOpacity == 0.0 ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			float unionClipOpacity = 1.0;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
				distanceGradient = fwidth( distanceToPlane ) / 2.0;
				unionClipOpacity *= 1.0 - smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			}
			#pragma unroll_loop_end
			clipOpacity *= 1.0 - unionClipOpacity;
		#endif
		diffuseColor.a *= clipOpacity;
		if ( diffuseColor.a == 0.0 ) discard;
	#else
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			if ( dot( vClipPosition, plane.xyz ) > plane.w ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			bool clipped = true;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				clipped = ( dot( vClipPosition, plane.xyz ) > plane.w ) && clipped;
			}
			#pragma unroll_loop_end
			if ( clipped ) discard;
		#endif
	#endif
#endif`,clipping_planes_pars_fragment:`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,clipping_planes_pars_vertex:`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,clipping_planes_vertex:`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,color_fragment:`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#endif`,color_pars_fragment:`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#endif`,color_pars_vertex:`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec4 vColor;
#endif`,color_vertex:`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	vColor = vec4( 1.0 );
#endif
#ifdef USE_COLOR_ALPHA
	vColor *= color;
#elif defined( USE_COLOR )
	vColor.rgb *= color;
#endif
#ifdef USE_INSTANCING_COLOR
	vColor.rgb *= instanceColor.rgb;
#endif
#ifdef USE_BATCHING_COLOR
	vColor *= getBatchingColor( getIndirectIndex( gl_DrawID ) );
#endif`,common:`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2( const in float x ) { return x*x; }
vec3 pow2( const in vec3 x ) { return x*x; }
float pow3( const in float x ) { return x*x*x; }
float pow4( const in float x ) { float x2 = x*x; return x2*x2; }
float max3( const in vec3 v ) { return max( max( v.x, v.y ), v.z ); }
float average( const in vec3 v ) { return dot( v, vec3( 0.3333333 ) ); }
highp float rand( const in vec2 uv ) {
	const highp float a = 12.9898, b = 78.233, c = 43758.5453;
	highp float dt = dot( uv.xy, vec2( a,b ) ), sn = mod( dt, PI );
	return fract( sin( sn ) * c );
}
#ifdef HIGH_PRECISION
	float precisionSafeLength( vec3 v ) { return length( v ); }
#else
	float precisionSafeLength( vec3 v ) {
		float maxComponent = max3( abs( v ) );
		return length( v / maxComponent ) * maxComponent;
	}
#endif
struct IncidentLight {
	vec3 color;
	vec3 direction;
	bool visible;
};
struct ReflectedLight {
	vec3 directDiffuse;
	vec3 directSpecular;
	vec3 indirectDiffuse;
	vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
	varying vec3 vPosition;
#endif
vec3 transformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );
}
#define inverseTransformDirection transformDirectionByInverseViewMatrix
vec3 transformNormalByInverseViewMatrix( in vec3 normal, in mat4 viewMatrix ) {
	return normalize( ( vec4( normal, 0.0 ) * viewMatrix ).xyz );
}
vec3 transformDirectionByInverseViewMatrix( in vec3 dir, in mat4 viewMatrix ) {
	return normalize( ( vec4( dir, 0.0 ) * viewMatrix ).xyz );
}
bool isPerspectiveMatrix( mat4 m ) {
	return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv( in vec3 dir ) {
	float u = atan( dir.z, dir.x ) * RECIPROCAL_PI2 + 0.5;
	float v = asin( clamp( dir.y, - 1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5;
	return vec2( u, v );
}
vec3 BRDF_Lambert( const in vec3 diffuseColor ) {
	return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick( const in vec3 f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
}
float F_Schlick( const in float f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
} // validated`,defaultnormal_vertex:`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
	vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
	mat3 bm = mat3( batchingMatrix );
	transformedNormal /= vec3( dot( bm[ 0 ], bm[ 0 ] ), dot( bm[ 1 ], bm[ 1 ] ), dot( bm[ 2 ], bm[ 2 ] ) );
	transformedNormal = bm * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = bm * transformedTangent;
	#endif
#endif
#ifdef USE_INSTANCING
	mat3 im = mat3( instanceMatrix );
	transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );
	transformedNormal = im * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = im * transformedTangent;
	#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
	transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
	transformedTangent = ( modelViewMatrix * vec4( transformedTangent, 0.0 ) ).xyz;
#endif`,displacementmap_pars_vertex:`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,displacementmap_vertex:`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,emissivemap_fragment:`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,emissivemap_pars_fragment:`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,colorspace_fragment:`gl_FragColor = linearToOutputTexel( gl_FragColor );`,colorspace_pars_fragment:`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,envmap_fragment:`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vec3 cameraToFrag;
		if ( isOrthographic ) {
			cameraToFrag = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToFrag = normalize( vWorldPosition - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vec3 reflectVec = reflect( cameraToFrag, worldNormal );
		#else
			vec3 reflectVec = refract( cameraToFrag, worldNormal, refractionRatio );
		#endif
	#else
		vec3 reflectVec = vReflect;
	#endif
	#ifdef ENVMAP_TYPE_CUBE
		vec4 envColor = textureCube( envMap, envMapRotation * reflectVec );
		#ifdef ENVMAP_BLENDING_MULTIPLY
			outgoingLight = mix( outgoingLight, outgoingLight * envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_MIX )
			outgoingLight = mix( outgoingLight, envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_ADD )
			outgoingLight += envColor.xyz * specularStrength * reflectivity;
		#endif
	#endif
#endif`,envmap_common_pars_fragment:`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform mat3 envMapRotation;
	uniform samplerCube envMap;
	#ifdef ENVMAP_TYPE_PMREM
		float roughnessToMip( const in float roughness ) {
			float r = clamp( roughness, 0.0, 1.0 );
			return ENVMAP_MAX_LOD * r * ( 2.0 - r );
		}
	#endif
#endif`,envmap_pars_fragment:`#ifdef USE_ENVMAP
	uniform float reflectivity;
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		varying vec3 vWorldPosition;
		uniform float refractionRatio;
	#else
		varying vec3 vReflect;
	#endif
#endif`,envmap_pars_vertex:`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,envmap_physical_pars_fragment:`#ifdef USE_ENVMAP
	vec3 getIBLIrradiance( const in vec3 normal ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * worldNormal, ENVMAP_MAX_LOD );
			return PI * envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	vec3 getIBLRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 reflectVec = reflect( - viewDir, normal );
			reflectVec = normalize( mix( reflectVec, normal, pow4( roughness ) ) );
			reflectVec = transformDirectionByInverseViewMatrix( reflectVec, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * reflectVec, roughnessToMip( roughness ) );
			return envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	#ifdef USE_RETROREFLECTION
		vec3 getIBLRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 retroVec = normalize( mix( viewDir, normal, pow4( roughness ) ) );
				retroVec = transformDirectionByInverseViewMatrix( retroVec, viewMatrix );
				vec4 envMapColor = textureLod( envMap, envMapRotation * retroVec, roughnessToMip( roughness ) );
				return envMapColor.rgb * envMapIntensity;
			#else
				return vec3( 0.0 );
			#endif
		}
	#endif
	#ifdef USE_ANISOTROPY
		vec3 getIBLAnisotropyRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 bentNormal = cross( bitangent, viewDir );
				bentNormal = normalize( cross( bentNormal, bitangent ) );
				bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
				return getIBLRadiance( viewDir, bentNormal, roughness );
			#else
				return vec3( 0.0 );
			#endif
		}
		#ifdef USE_RETROREFLECTION
			vec3 getIBLAnisotropyRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
				#ifdef ENVMAP_TYPE_PMREM
					vec3 bentNormal = cross( bitangent, viewDir );
					bentNormal = normalize( cross( bentNormal, bitangent ) );
					bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
					return getIBLRetroRadiance( viewDir, bentNormal, roughness );
				#else
					return vec3( 0.0 );
				#endif
			}
		#endif
	#endif
#endif`,envmap_vertex:`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vWorldPosition = worldPosition.xyz;
	#else
		vec3 cameraToVertex;
		if ( isOrthographic ) {
			cameraToVertex = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToVertex = normalize( worldPosition.xyz - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vReflect = reflect( cameraToVertex, worldNormal );
		#else
			vReflect = refract( cameraToVertex, worldNormal, refractionRatio );
		#endif
	#endif
#endif`,fog_vertex:`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,fog_pars_vertex:`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,fog_fragment:`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,fog_pars_fragment:`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,gradientmap_pars_fragment:`#ifdef USE_GRADIENTMAP
	uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance( vec3 normal, vec3 lightDirection ) {
	float dotNL = dot( normal, lightDirection );
	vec2 coord = vec2( dotNL * 0.5 + 0.5, 0.0 );
	#ifdef USE_GRADIENTMAP
		return vec3( texture2D( gradientMap, coord ).r );
	#else
		vec2 fw = fwidth( coord ) * 0.5;
		return mix( vec3( 0.7 ), vec3( 1.0 ), smoothstep( 0.7 - fw.x, 0.7 + fw.x, coord.x ) );
	#endif
}`,lightmap_pars_fragment:`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,lights_lambert_fragment:`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,lights_lambert_pars_fragment:`varying vec3 vViewPosition;
struct LambertMaterial {
	vec3 diffuseColor;
	float specularStrength;
};
void RE_Direct_Lambert( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Lambert( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,lights_pars_begin:`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
	uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt( in vec3 normal, in vec3 shCoefficients[ 9 ] ) {
	float x = normal.x, y = normal.y, z = normal.z;
	vec3 result = shCoefficients[ 0 ] * 0.886227;
	result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
	result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
	result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
	result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
	result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
	result += shCoefficients[ 6 ] * ( 0.743125 * z * z - 0.247708 );
	result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
	result += shCoefficients[ 8 ] * 0.429043 * ( x * x - y * y );
	return result;
}
vec3 getLightProbeIrradiance( const in vec3 lightProbe[ 9 ], const in vec3 normal ) {
	vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec3 irradiance = shGetIrradianceAt( worldNormal, lightProbe );
	return irradiance;
}
vec3 getAmbientLightIrradiance( const in vec3 ambientLightColor ) {
	vec3 irradiance = ambientLightColor;
	return irradiance;
}
float getDistanceAttenuation( const in float lightDistance, const in float cutoffDistance, const in float decayExponent ) {
	float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );
	if ( cutoffDistance > 0.0 ) {
		distanceFalloff *= pow2( saturate( 1.0 - pow4( lightDistance / cutoffDistance ) ) );
	}
	return distanceFalloff;
}
float getSpotAttenuation( const in float coneCosine, const in float penumbraCosine, const in float angleCosine ) {
	return smoothstep( coneCosine, penumbraCosine, angleCosine );
}
#if NUM_SUN_LIGHTS > 0
	struct SunLight {
		vec3 direction;
		vec3 color;
	};
	uniform SunLight sunLights[ NUM_SUN_LIGHTS ];
	void getSunLightInfo( const in SunLight sunLight, out IncidentLight light ) {
		light.color = sunLight.color;
		light.direction = sunLight.direction;
		light.visible = true;
	}
#endif
#if NUM_DIR_LIGHTS > 0
	struct DirectionalLight {
		vec3 direction;
		vec3 color;
	};
	uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
	void getDirectionalLightInfo( const in DirectionalLight directionalLight, out IncidentLight light ) {
		light.color = directionalLight.color;
		light.direction = directionalLight.direction;
		light.visible = true;
	}
#endif
#if NUM_POINT_LIGHTS > 0
	struct PointLight {
		vec3 position;
		vec3 color;
		float distance;
		float decay;
	};
	uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
	void getPointLightInfo( const in PointLight pointLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = pointLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float lightDistance = length( lVector );
		light.color = pointLight.color;
		light.color *= getDistanceAttenuation( lightDistance, pointLight.distance, pointLight.decay );
		light.visible = ( light.color != vec3( 0.0 ) );
	}
#endif
#if NUM_SPOT_LIGHTS > 0
	struct SpotLight {
		vec3 position;
		vec3 direction;
		vec3 color;
		float distance;
		float decay;
		float coneCos;
		float penumbraCos;
	};
	uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
	void getSpotLightInfo( const in SpotLight spotLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = spotLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float angleCos = dot( light.direction, spotLight.direction );
		float spotAttenuation = getSpotAttenuation( spotLight.coneCos, spotLight.penumbraCos, angleCos );
		if ( spotAttenuation > 0.0 ) {
			float lightDistance = length( lVector );
			light.color = spotLight.color * spotAttenuation;
			light.color *= getDistanceAttenuation( lightDistance, spotLight.distance, spotLight.decay );
			light.visible = ( light.color != vec3( 0.0 ) );
		} else {
			light.color = vec3( 0.0 );
			light.visible = false;
		}
	}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
	struct RectAreaLight {
		vec3 color;
		vec3 position;
		vec3 halfWidth;
		vec3 halfHeight;
	};
	uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
	uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
	struct HemisphereLight {
		vec3 direction;
		vec3 skyColor;
		vec3 groundColor;
	};
	uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
	vec3 getHemisphereLightIrradiance( const in HemisphereLight hemiLight, const in vec3 normal ) {
		float dotNL = dot( normal, hemiLight.direction );
		float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
		vec3 irradiance = mix( hemiLight.groundColor, hemiLight.skyColor, hemiDiffuseWeight );
		return irradiance;
	}
#endif
#include <lightprobes_pars_fragment>`,lights_toon_fragment:`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,lights_toon_pars_fragment:`varying vec3 vViewPosition;
struct ToonMaterial {
	vec3 diffuseColor;
};
void RE_Direct_Toon( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 irradiance = getGradientIrradiance( geometryNormal, directLight.direction ) * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Toon( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,lights_phong_fragment:`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,lights_phong_pars_fragment:`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
	vec3 diffuseColor;
	vec3 specularColor;
	float specularShininess;
	float specularStrength;
};
void RE_Direct_BlinnPhong( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
	reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,lights_physical_fragment:`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.diffuseContribution = diffuseColor.rgb * ( 1.0 - metalnessFactor );
material.metalness = metalnessFactor;
vec3 dxy = max( abs( dFdx( nonPerturbedNormal ) ), abs( dFdy( nonPerturbedNormal ) ) );
float geometryRoughness = max( max( dxy.x, dxy.y ), dxy.z );
material.roughness = max( roughnessFactor, 0.045 );
material.roughness += geometryRoughness;
material.roughness = min( material.roughness, 1.0 );
#ifdef USE_DIFFUSE_ROUGHNESS
	float diffuseRoughnessFactor = diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		diffuseRoughnessFactor *= texture2D( diffuseRoughnessMap, vDiffuseRoughnessMapUv ).r;
	#endif
	material.diffuseRoughness = saturate( diffuseRoughnessFactor );
#endif
#ifdef IOR
	material.ior = ior;
	#ifdef USE_SPECULAR
		float specularIntensityFactor = specularIntensity;
		vec3 specularColorFactor = specularColor;
		#ifdef USE_SPECULAR_COLORMAP
			specularColorFactor *= texture2D( specularColorMap, vSpecularColorMapUv ).rgb;
		#endif
		#ifdef USE_SPECULAR_INTENSITYMAP
			specularIntensityFactor *= texture2D( specularIntensityMap, vSpecularIntensityMapUv ).a;
		#endif
		material.specularF90 = mix( specularIntensityFactor, 1.0, metalnessFactor );
	#else
		float specularIntensityFactor = 1.0;
		vec3 specularColorFactor = vec3( 1.0 );
		material.specularF90 = 1.0;
	#endif
	material.specularColor = min( pow2( ( material.ior - 1.0 ) / ( material.ior + 1.0 ) ) * specularColorFactor, vec3( 1.0 ) ) * specularIntensityFactor;
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
#else
	material.specularColor = vec3( 0.04 );
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
	material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
	material.clearcoat = clearcoat;
	material.clearcoatRoughness = clearcoatRoughness;
	material.clearcoatF0 = vec3( 0.04 );
	material.clearcoatF90 = 1.0;
	#ifdef USE_CLEARCOATMAP
		material.clearcoat *= texture2D( clearcoatMap, vClearcoatMapUv ).x;
	#endif
	#ifdef USE_CLEARCOAT_ROUGHNESSMAP
		material.clearcoatRoughness *= texture2D( clearcoatRoughnessMap, vClearcoatRoughnessMapUv ).y;
	#endif
	material.clearcoat = saturate( material.clearcoat );	material.clearcoatRoughness = max( material.clearcoatRoughness, 0.045 );
	material.clearcoatRoughness += geometryRoughness;
	material.clearcoatRoughness = min( material.clearcoatRoughness, 1.0 );
#endif
#ifdef USE_DISPERSION
	material.dispersion = dispersion;
#endif
#ifdef USE_RETROREFLECTION
	material.retroreflectivity = retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	material.iridescence = iridescence;
	material.iridescenceIOR = iridescenceIOR;
	#ifdef USE_IRIDESCENCEMAP
		material.iridescence *= texture2D( iridescenceMap, vIridescenceMapUv ).r;
	#endif
	#ifdef USE_IRIDESCENCE_THICKNESSMAP
		material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D( iridescenceThicknessMap, vIridescenceThicknessMapUv ).g + iridescenceThicknessMinimum;
	#else
		material.iridescenceThickness = iridescenceThicknessMaximum;
	#endif
#endif
#ifdef USE_SHEEN
	material.sheenColor = sheenColor;
	#ifdef USE_SHEEN_COLORMAP
		material.sheenColor *= texture2D( sheenColorMap, vSheenColorMapUv ).rgb;
	#endif
	material.sheenRoughness = clamp( sheenRoughness, 0.0001, 1.0 );
	#ifdef USE_SHEEN_ROUGHNESSMAP
		material.sheenRoughness *= texture2D( sheenRoughnessMap, vSheenRoughnessMapUv ).a;
	#endif
#endif
#ifdef USE_ANISOTROPY
	#ifdef USE_ANISOTROPYMAP
		mat2 anisotropyMat = mat2( anisotropyVector.x, anisotropyVector.y, - anisotropyVector.y, anisotropyVector.x );
		vec3 anisotropyPolar = texture2D( anisotropyMap, vAnisotropyMapUv ).rgb;
		vec2 anisotropyV = anisotropyMat * normalize( 2.0 * anisotropyPolar.rg - vec2( 1.0 ) ) * anisotropyPolar.b;
	#else
		vec2 anisotropyV = anisotropyVector;
	#endif
	material.anisotropy = length( anisotropyV );
	if( material.anisotropy == 0.0 ) {
		anisotropyV = vec2( 1.0, 0.0 );
	} else {
		anisotropyV /= material.anisotropy;
		material.anisotropy = saturate( material.anisotropy );
	}
	material.alphaT = mix( pow2( material.roughness ), 1.0, pow2( material.anisotropy ) );
	material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
	material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,lights_physical_pars_fragment:`uniform sampler2D dfgLUT;
struct PhysicalMaterial {
	vec3 diffuseColor;
	vec3 diffuseContribution;
	vec3 specularColor;
	vec3 specularColorBlended;
	float roughness;
	float metalness;
	float specularF90;
	float dispersion;
	vec2 dfg;
	vec3 multiScatteringCompensation;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float diffuseRoughness;
	#endif
	#ifdef USE_RETROREFLECTION
		float retroreflectivity;
	#endif
	#ifdef USE_CLEARCOAT
		float clearcoat;
		float clearcoatRoughness;
		vec3 clearcoatF0;
		float clearcoatF90;
	#endif
	#ifdef USE_IRIDESCENCE
		float iridescence;
		float iridescenceIOR;
		float iridescenceThickness;
		vec3 iridescenceFresnel;
		vec3 iridescenceF0Dielectric;
		vec3 iridescenceF0Metallic;
	#endif
	#ifdef USE_SHEEN
		vec3 sheenColor;
		float sheenRoughness;
	#endif
	#ifdef IOR
		float ior;
	#endif
	#ifdef USE_TRANSMISSION
		float transmission;
		float transmissionAlpha;
		float thickness;
		float attenuationDistance;
		vec3 attenuationColor;
	#endif
	#ifdef USE_ANISOTROPY
		float anisotropy;
		float alphaT;
		vec3 anisotropyT;
		vec3 anisotropyB;
	#endif
};
vec3 clearcoatSpecularDirect = vec3( 0.0 );
vec3 clearcoatSpecularIndirect = vec3( 0.0 );
vec3 sheenSpecularDirect = vec3( 0.0 );
vec3 sheenSpecularIndirect = vec3(0.0 );
vec3 Schlick_to_F0( const in vec3 f, const in float f90, const in float dotVH ) {
    float x = clamp( 1.0 - dotVH, 0.0, 1.0 );
    float x2 = x * x;
    float x5 = clamp( x * x2 * x2, 0.0, 0.9999 );
    return ( f - vec3( f90 ) * x5 ) / ( 1.0 - x5 );
}
#ifdef USE_DIFFUSE_ROUGHNESS
	const float EON_EPSILON = 1e-7;
	float FON_DirectionalAlbedo( const in float mu, const in float roughness, const in float A ) {
		float muComp = 1.0 - mu;
		float gOverPi = muComp * ( 0.0571085289 + muComp * ( 0.491881867 + muComp * ( - 0.332181442 + muComp * 0.0714429953 ) ) );
		return A * ( 1.0 + roughness * gOverPi );
	}
	vec3 BRDF_EON( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 diffuseColor, const in float roughness ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return BRDF_Lambert( rho );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float s = dot( lightDir, viewDir ) - dotNL * dotNV;
		float sOverT = ( s > 0.0 ) ? s / max( max( dotNL, dotNV ), EON_EPSILON ) : s;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		vec3 singleScatter = rho * RECIPROCAL_PI * A * ( 1.0 + roughness * sOverT );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		float albedoV = FON_DirectionalAlbedo( dotNV, roughness, A );
		float albedoL = FON_DirectionalAlbedo( dotNL, roughness, A );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		vec3 multiScatter = rhoMultiScatter * RECIPROCAL_PI
			* max( EON_EPSILON, 1.0 - albedoV )
			* max( EON_EPSILON, 1.0 - albedoL )
			/ max( EON_EPSILON, 1.0 - averageAlbedo );
		return singleScatter + multiScatter;
	}
	vec3 EON_DirectionalAlbedo( const in vec3 diffuseColor, const in float roughness, const in float dotNV ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return rho;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		float directionalAlbedo = FON_DirectionalAlbedo( dotNV, roughness, A );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		return rho * directionalAlbedo + rhoMultiScatter * ( 1.0 - directionalAlbedo );
	}
#endif
float V_GGX_SmithCorrelated( const in float alpha, const in float dotNL, const in float dotNV ) {
	float a2 = pow2( alpha );
	float gv = dotNL * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNV ) );
	float gl = dotNV * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNL ) );
	return 0.5 / max( gv + gl, EPSILON );
}
float D_GGX( const in float alpha, const in float dotNH ) {
	float a2 = pow2( alpha );
	float denom = pow2( dotNH ) * ( a2 - 1.0 ) + 1.0;
	return RECIPROCAL_PI * a2 / pow2( denom );
}
#ifdef USE_ANISOTROPY
	float V_GGX_SmithCorrelated_Anisotropic( const in float alphaT, const in float alphaB, const in float dotTV, const in float dotBV, const in float dotTL, const in float dotBL, const in float dotNV, const in float dotNL ) {
		float gv = dotNL * length( vec3( alphaT * dotTV, alphaB * dotBV, dotNV ) );
		float gl = dotNV * length( vec3( alphaT * dotTL, alphaB * dotBL, dotNL ) );
		return 0.5 / max( gv + gl, EPSILON );
	}
	float D_GGX_Anisotropic( const in float alphaT, const in float alphaB, const in float dotNH, const in float dotTH, const in float dotBH ) {
		float a2 = alphaT * alphaB;
		highp vec3 v = vec3( alphaB * dotTH, alphaT * dotBH, a2 * dotNH );
		highp float v2 = dot( v, v );
		float w2 = a2 / v2;
		return RECIPROCAL_PI * a2 * pow2 ( w2 );
	}
#endif
#ifdef USE_CLEARCOAT
	vec3 BRDF_GGX_Clearcoat( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material) {
		vec3 f0 = material.clearcoatF0;
		float f90 = material.clearcoatF90;
		float roughness = max( material.clearcoatRoughness, 0.045 );
		float alpha = pow2( roughness );
		vec3 halfDir = normalize( lightDir + viewDir );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float dotNH = saturate( dot( normal, halfDir ) );
		float dotVH = saturate( dot( viewDir, halfDir ) );
		vec3 F = F_Schlick( f0, f90, dotVH );
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
		return F * ( V * D );
	}
#endif
vec3 BRDF_GGX( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material ) {
	vec3 f0 = material.specularColorBlended;
	float f90 = material.specularF90;
	float roughness = max( material.roughness, 0.045 );
	float alpha = pow2( roughness );
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( f0, f90, dotVH );
	#ifdef USE_IRIDESCENCE
		F = mix( F, material.iridescenceFresnel, material.iridescence );
	#endif
	#ifdef USE_ANISOTROPY
		float dotTL = dot( material.anisotropyT, lightDir );
		float dotTV = dot( material.anisotropyT, viewDir );
		float dotTH = dot( material.anisotropyT, halfDir );
		float dotBL = dot( material.anisotropyB, lightDir );
		float dotBV = dot( material.anisotropyB, viewDir );
		float dotBH = dot( material.anisotropyB, halfDir );
		float alphaT = max( material.alphaT, alpha );
		float V = V_GGX_SmithCorrelated_Anisotropic( alphaT, alpha, dotTV, dotBV, dotTL, dotBL, dotNV, dotNL );
		float D = D_GGX_Anisotropic( alphaT, alpha, dotNH, dotTH, dotBH );
	#else
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
	#endif
	return F * ( V * D );
}
vec2 LTC_Uv( const in vec3 N, const in vec3 V, const in float roughness ) {
	const float LUT_SIZE = 64.0;
	const float LUT_SCALE = ( LUT_SIZE - 1.0 ) / LUT_SIZE;
	const float LUT_BIAS = 0.5 / LUT_SIZE;
	float dotNV = saturate( dot( N, V ) );
	vec2 uv = vec2( roughness, sqrt( 1.0 - dotNV ) );
	uv = uv * LUT_SCALE + LUT_BIAS;
	return uv;
}
float LTC_ClippedSphereFormFactor( const in vec3 f ) {
	float l = length( f );
	return max( ( l * l + f.z ) / ( l + 1.0 ), 0.0 );
}
vec3 LTC_EdgeVectorFormFactor( const in vec3 v1, const in vec3 v2 ) {
	float x = dot( v1, v2 );
	float y = abs( x );
	float a = 0.8543985 + ( 0.4965155 + 0.0145206 * y ) * y;
	float b = 3.4175940 + ( 4.1616724 + y ) * y;
	float v = a / b;
	float theta_sintheta = ( x > 0.0 ) ? v : 0.5 * inversesqrt( max( 1.0 - x * x, 1e-7 ) ) - v;
	return cross( v1, v2 ) * theta_sintheta;
}
vec3 LTC_Evaluate( const in vec3 N, const in vec3 V, const in vec3 P, const in mat3 mInv, const in vec3 rectCoords[ 4 ] ) {
	vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
	vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
	vec3 lightNormal = cross( v1, v2 );
	if( dot( lightNormal, P - rectCoords[ 0 ] ) < 0.0 ) return vec3( 0.0 );
	vec3 T1, T2;
	T1 = normalize( V - N * dot( V, N ) );
	T2 = - cross( N, T1 );
	mat3 mat = mInv * transpose( mat3( T1, T2, N ) );
	vec3 coords[ 4 ];
	coords[ 0 ] = mat * ( rectCoords[ 0 ] - P );
	coords[ 1 ] = mat * ( rectCoords[ 1 ] - P );
	coords[ 2 ] = mat * ( rectCoords[ 2 ] - P );
	coords[ 3 ] = mat * ( rectCoords[ 3 ] - P );
	coords[ 0 ] = normalize( coords[ 0 ] );
	coords[ 1 ] = normalize( coords[ 1 ] );
	coords[ 2 ] = normalize( coords[ 2 ] );
	coords[ 3 ] = normalize( coords[ 3 ] );
	vec3 vectorFormFactor = vec3( 0.0 );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 0 ], coords[ 1 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 1 ], coords[ 2 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 2 ], coords[ 3 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 3 ], coords[ 0 ] );
	float result = LTC_ClippedSphereFormFactor( vectorFormFactor );
	return vec3( result );
}
#if defined( USE_SHEEN )
float D_Charlie( float roughness, float dotNH ) {
	float alpha = pow2( roughness );
	float invAlpha = 1.0 / alpha;
	float cos2h = dotNH * dotNH;
	float sin2h = max( 1.0 - cos2h, 0.0078125 );
	return ( 2.0 + invAlpha ) * pow( sin2h, invAlpha * 0.5 ) / ( 2.0 * PI );
}
float V_Neubelt( float dotNV, float dotNL ) {
	return saturate( 1.0 / ( 4.0 * ( dotNL + dotNV - dotNL * dotNV ) ) );
}
vec3 BRDF_Sheen( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, vec3 sheenColor, const in float sheenRoughness ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float D = D_Charlie( sheenRoughness, dotNH );
	float V = V_Neubelt( dotNV, dotNL );
	return sheenColor * ( D * V );
}
#endif
float IBLSheenBRDF( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	float r2 = roughness * roughness;
	float rInv = 1.0 / ( roughness + 0.1 );
	float a = -1.9362 + 1.0678 * roughness + 0.4573 * r2 - 0.8469 * rInv;
	float b = -0.6014 + 0.5538 * roughness - 0.4670 * r2 - 0.1255 * rInv;
	float DG = exp( a * dotNV + b );
	return saturate( DG );
}
vec3 EnvironmentBRDF( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	vec2 fab = texture2D( dfgLUT, vec2( roughness, dotNV ) ).rg;
	return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence( const in vec2 fab, const in vec3 specularColor, const in float specularF90, const in float iridescence, const in vec3 iridescenceF0, inout vec3 singleScatter, inout vec3 multiScatter ) {
#else
void computeMultiscattering( const in vec2 fab, const in vec3 specularColor, const in float specularF90, inout vec3 singleScatter, inout vec3 multiScatter ) {
#endif
	#ifdef USE_IRIDESCENCE
		vec3 Fr = mix( specularColor, iridescenceF0, iridescence );
	#else
		vec3 Fr = specularColor;
	#endif
	vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
	float Ess = fab.x + fab.y;
	float Ems = 1.0 - Ess;
	vec3 Favg = Fr + ( 1.0 - Fr ) * 0.047619;	vec3 Fms = FssEss * Favg / ( 1.0 - Ems * Favg );
	singleScatter += FssEss;
	multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
	void RE_Direct_RectArea_Physical( const in RectAreaLight rectAreaLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
		vec3 normal = geometryNormal;
		vec3 viewDir = geometryViewDir;
		vec3 position = geometryPosition;
		vec3 lightPos = rectAreaLight.position;
		vec3 halfWidth = rectAreaLight.halfWidth;
		vec3 halfHeight = rectAreaLight.halfHeight;
		vec3 lightColor = rectAreaLight.color;
		float roughness = material.roughness;
		vec3 rectCoords[ 4 ];
		rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
		rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
		rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
		vec2 uv = LTC_Uv( normal, viewDir, roughness );
		vec4 t1 = texture2D( ltc_1, uv );
		vec4 t2 = texture2D( ltc_2, uv );
		mat3 mInv = mat3(
			vec3( t1.x, 0, t1.y ),
			vec3(    0, 1,    0 ),
			vec3( t1.z, 0, t1.w )
		);
		vec3 fresnel = ( material.specularColorBlended * t2.x + ( material.specularF90 - material.specularColorBlended ) * t2.y );
		reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate( normal, viewDir, position, mInv, rectCoords );
		reflectedLight.directDiffuse += lightColor * material.diffuseContribution * LTC_Evaluate( normal, viewDir, position, mat3( 1.0 ), rectCoords );
		#ifdef USE_CLEARCOAT
			vec3 Ncc = geometryClearcoatNormal;
			vec2 uvClearcoat = LTC_Uv( Ncc, viewDir, material.clearcoatRoughness );
			vec4 t1Clearcoat = texture2D( ltc_1, uvClearcoat );
			vec4 t2Clearcoat = texture2D( ltc_2, uvClearcoat );
			mat3 mInvClearcoat = mat3(
				vec3( t1Clearcoat.x, 0, t1Clearcoat.y ),
				vec3(             0, 1,             0 ),
				vec3( t1Clearcoat.z, 0, t1Clearcoat.w )
			);
			vec3 fresnelClearcoat = material.clearcoatF0 * t2Clearcoat.x + ( material.clearcoatF90 - material.clearcoatF0 ) * t2Clearcoat.y;
			clearcoatSpecularDirect += lightColor * fresnelClearcoat * LTC_Evaluate( Ncc, viewDir, position, mInvClearcoat, rectCoords );
		#endif
	}
#endif
void RE_Direct_Physical( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	#ifdef USE_CLEARCOAT
		float dotNLcc = saturate( dot( geometryClearcoatNormal, directLight.direction ) );
		vec3 ccIrradiance = dotNLcc * directLight.color;
		clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat( directLight.direction, geometryViewDir, geometryClearcoatNormal, material );
	#endif
	#ifdef USE_SHEEN
 
 		sheenSpecularDirect += irradiance * BRDF_Sheen( directLight.direction, geometryViewDir, geometryNormal, material.sheenColor, material.sheenRoughness );
 
 		float sheenAlbedoV = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
 		float sheenAlbedoL = IBLSheenBRDF( geometryNormal, directLight.direction, material.sheenRoughness );
 
 		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * max( sheenAlbedoV, sheenAlbedoL );
 
 		irradiance *= sheenEnergyComp;
 
 	#endif
	vec3 specularBRDF = BRDF_GGX( directLight.direction, geometryViewDir, geometryNormal, material );
	#ifdef USE_RETROREFLECTION
		vec3 retroViewDir = reflect( - geometryViewDir, geometryNormal );
		vec3 retroSpecularBRDF = BRDF_GGX( directLight.direction, retroViewDir, geometryNormal, material );
		specularBRDF = mix( specularBRDF, retroSpecularBRDF, saturate( material.retroreflectivity ) );
	#endif
	reflectedLight.directSpecular += irradiance * specularBRDF * material.multiScatteringCompensation;
	vec3 halfDir = normalize( directLight.direction + geometryViewDir );
	float dotVH = saturate( dot( geometryViewDir, halfDir ) );
	vec3 F = F_Schlick( material.specularColor, material.specularF90, dotVH );
	#ifdef USE_RETROREFLECTION
		vec3 retroHalfDir = normalize( directLight.direction + retroViewDir );
		float dotRetroVH = saturate( dot( retroViewDir, retroHalfDir ) );
		vec3 retroF = F_Schlick( material.specularColor, material.specularF90, dotRetroVH );
		F = mix( F, retroF, saturate( material.retroreflectivity ) );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		vec3 diffuseBRDF = BRDF_EON( directLight.direction, geometryViewDir, geometryNormal, material.diffuseColor, material.diffuseRoughness ) * ( 1.0 - material.metalness );
	#else
		vec3 diffuseBRDF = BRDF_Lambert( material.diffuseContribution );
	#endif
	reflectedLight.directDiffuse += irradiance * diffuseBRDF * ( 1.0 - F );
}
void RE_IndirectDiffuse_Physical( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 singleScattering = vec3( 0.0 );
	vec3 multiScattering = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScattering, multiScattering );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScattering, multiScattering );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuseAlbedo = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness );
		vec3 diffuse = irradiance * RECIPROCAL_PI * diffuseAlbedo * ( 1.0 - singleScattering - multiScattering );
	#else
		vec3 diffuse = irradiance * BRDF_Lambert( material.diffuseContribution ) * ( 1.0 - singleScattering - multiScattering );
	#endif
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		sheenSpecularIndirect += irradiance * material.sheenColor * sheenAlbedo * RECIPROCAL_PI;
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		diffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectDiffuse += diffuse;
}
void RE_IndirectSpecular_Physical( const in vec3 radiance, const in vec3 irradiance, const in vec3 clearcoatRadiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
	#ifdef USE_CLEARCOAT
		clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF( geometryClearcoatNormal, geometryViewDir, material.clearcoatF0, material.clearcoatF90, material.clearcoatRoughness );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness ) * RECIPROCAL_PI;
 	#endif
	vec3 singleScatteringDielectric = vec3( 0.0 );
	vec3 multiScatteringDielectric = vec3( 0.0 );
	vec3 singleScatteringMetallic = vec3( 0.0 );
	vec3 multiScatteringMetallic = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscatteringIridescence( material.dfg, material.diffuseColor, material.specularF90, material.iridescence, material.iridescenceF0Metallic, singleScatteringMetallic, multiScatteringMetallic );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscattering( material.dfg, material.diffuseColor, material.specularF90, singleScatteringMetallic, multiScatteringMetallic );
	#endif
	vec3 singleScattering = mix( singleScatteringDielectric, singleScatteringMetallic, material.metalness );
	vec3 multiScattering = mix( multiScatteringDielectric, multiScatteringMetallic, material.metalness );
	vec3 totalScatteringDielectric = singleScatteringDielectric + multiScatteringDielectric;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuse = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness ) * ( 1.0 - totalScatteringDielectric );
	#else
		vec3 diffuse = material.diffuseContribution * ( 1.0 - totalScatteringDielectric );
	#endif
	vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
	vec3 indirectSpecular = radiance * singleScattering;
	indirectSpecular += multiScattering * cosineWeightedIrradiance;
	vec3 indirectDiffuse = diffuse * cosineWeightedIrradiance;
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		indirectSpecular *= sheenEnergyComp;
		indirectDiffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectSpecular += indirectSpecular;
	reflectedLight.indirectDiffuse += indirectDiffuse;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion( const in float dotNV, const in float ambientOcclusion, const in float roughness ) {
	return saturate( pow( dotNV + ambientOcclusion, exp2( - 16.0 * roughness - 1.0 ) ) - 1.0 + ambientOcclusion );
}`,lights_fragment_begin:`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = ( isOrthographic ) ? vec3( 0, 0, 1 ) : normalize( vViewPosition );
vec3 geometryClearcoatNormal = vec3( 0.0 );
#ifdef USE_CLEARCOAT
	geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
	float dotNVi = saturate( dot( normal, geometryViewDir ) );
	if ( material.iridescenceThickness == 0.0 ) {
		material.iridescence = 0.0;
	} else {
		material.iridescence = saturate( material.iridescence );
	}
	if ( material.iridescence > 0.0 ) {
		vec3 iridescenceFresnelDielectric = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.specularColor );
		vec3 iridescenceFresnelMetallic = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.diffuseColor );
		material.iridescenceFresnel = mix( iridescenceFresnelDielectric, iridescenceFresnelMetallic, material.metalness );
		material.iridescenceF0Dielectric = Schlick_to_F0( iridescenceFresnelDielectric, 1.0, dotNVi );
		material.iridescenceF0Metallic = Schlick_to_F0( iridescenceFresnelMetallic, 1.0, dotNVi );
	}
#endif
#ifdef STANDARD
	float dotNVms = saturate( dot( geometryNormal, geometryViewDir ) );
	material.dfg = texture2D( dfgLUT, vec2( material.roughness, dotNVms ) ).rg;
	#if ( NUM_SUN_LIGHTS > 0 || NUM_DIR_LIGHTS > 0 || NUM_POINT_LIGHTS > 0 || NUM_SPOT_LIGHTS > 0 )
		float EssMs = material.dfg.x + material.dfg.y;
		material.multiScatteringCompensation = 1.0 + material.specularColorBlended * ( 1.0 / EssMs - 1.0 );
	#endif
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
	PointLight pointLight;
	#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHTS; i ++ ) {
		pointLight = pointLights[ i ];
		getPointLightInfo( pointLight, geometryPosition, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS ) && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
		pointLightShadow = pointLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getPointShadow( pointShadowMap[ i ], pointLightShadow.shadowMapSize, pointLightShadow.shadowIntensity, pointLightShadow.shadowBias, pointLightShadow.shadowRadius, vPointShadowCoord[ i ], pointLightShadow.shadowCameraNear, pointLightShadow.shadowCameraFar ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
	SpotLight spotLight;
	vec4 spotColor;
	vec3 spotLightCoord;
	bool inSpotLightMap;
	#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHTS; i ++ ) {
		spotLight = spotLights[ i ];
		getSpotLightInfo( spotLight, geometryPosition, directLight );
		#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
		#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
		#else
		#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#endif
		#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
			spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
			inSpotLightMap = all( lessThan( abs( spotLightCoord * 2. - 1. ), vec3( 1.0 ) ) );
			spotColor = texture2D( spotLightMap[ SPOT_LIGHT_MAP_INDEX ], spotLightCoord.xy );
			directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
		#endif
		#undef SPOT_LIGHT_MAP_INDEX
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		spotLightShadow = spotLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( spotShadowMap[ i ], spotLightShadow.shadowMapSize, spotLightShadow.shadowIntensity, spotLightShadow.shadowBias, spotLightShadow.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SUN_LIGHTS > 0 ) && defined( RE_Direct )
	SunLight sunLight;
	#if defined( USE_SHADOWMAP ) && NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHTS; i ++ ) {
		sunLight = sunLights[ i ];
		getSunLightInfo( sunLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SUN_LIGHT_SHADOWS )
		sunLightShadow = sunLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getSunShadow( sunShadowMap[ i ], sunLightShadow, UNROLLED_LOOP_INDEX ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
	DirectionalLight directionalLight;
	#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHTS; i ++ ) {
		directionalLight = directionalLights[ i ];
		getDirectionalLightInfo( directionalLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
		directionalLightShadow = directionalLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( directionalShadowMap[ i ], directionalLightShadow.shadowMapSize, directionalLightShadow.shadowIntensity, directionalLightShadow.shadowBias, directionalLightShadow.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
	RectAreaLight rectAreaLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++ ) {
		rectAreaLight = rectAreaLights[ i ];
		RE_Direct_RectArea( rectAreaLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
	vec3 iblIrradiance = vec3( 0.0 );
	vec3 irradiance = getAmbientLightIrradiance( ambientLightColor );
	#if defined( USE_LIGHT_PROBES )
		irradiance += getLightProbeIrradiance( lightProbe, geometryNormal );
	#endif
	#if ( NUM_HEMI_LIGHTS > 0 )
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_HEMI_LIGHTS; i ++ ) {
			irradiance += getHemisphereLightIrradiance( hemisphereLights[ i ], geometryNormal );
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_LIGHT_PROBE_GRIDS > 0
		vec3 probeWorldPos = ( ( vec4( geometryPosition, 1.0 ) - viewMatrix[ 3 ] ) * viewMatrix ).xyz;
		vec3 probeWorldNormal = transformNormalByInverseViewMatrix( geometryNormal, viewMatrix );
		int probeGrid = - 1;
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( isInsideLightProbeGrid( probeWorldPos, probeWorldNormal, probesMin[ i ], probesMax[ i ], probesResolution[ i ] ) ) probeGrid = UNROLLED_LOOP_INDEX;
		}
		#pragma unroll_loop_end
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( probeGrid == UNROLLED_LOOP_INDEX ) irradiance += getLightProbeGridIrradiance( probesSH[ i ], probesMin[ i ], probesMax[ i ], probesResolution[ i ], probeWorldPos, probeWorldNormal );
		}
		#pragma unroll_loop_end
	#endif
#endif
#if defined( RE_IndirectSpecular )
	vec3 radiance = vec3( 0.0 );
	vec3 clearcoatRadiance = vec3( 0.0 );
#endif`,lights_fragment_maps:`#if defined( RE_IndirectDiffuse )
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
		irradiance += lightMapIrradiance;
	#endif
	#if defined( USE_ENVMAP ) && defined( ENVMAP_TYPE_PMREM )
		#if defined( STANDARD ) || defined( LAMBERT ) || defined( PHONG )
			iblIrradiance += getIBLIrradiance( geometryNormal );
		#endif
	#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
	#ifdef USE_ANISOTROPY
		vec3 iblRadiance = getIBLAnisotropyRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
	#else
		vec3 iblRadiance = getIBLRadiance( geometryViewDir, geometryNormal, material.roughness );
	#endif
	#ifdef USE_RETROREFLECTION
		#ifdef USE_ANISOTROPY
			vec3 retroIBLRadiance = getIBLAnisotropyRetroRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
		#else
			vec3 retroIBLRadiance = getIBLRetroRadiance( geometryViewDir, geometryNormal, material.roughness );
		#endif
		iblRadiance = mix( iblRadiance, retroIBLRadiance, saturate( material.retroreflectivity ) );
	#endif
	radiance += iblRadiance;
	#ifdef USE_CLEARCOAT
		clearcoatRadiance += getIBLRadiance( geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness );
	#endif
#endif`,lights_fragment_end:`#if defined( RE_IndirectDiffuse )
	#if defined( LAMBERT ) || defined( PHONG )
		irradiance += iblIrradiance;
	#endif
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,lightprobes_pars_fragment:`#if NUM_LIGHT_PROBE_GRIDS > 0
uniform highp sampler3D probesSH[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMin[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMax[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesResolution[ NUM_LIGHT_PROBE_GRIDS ];
bool isInsideLightProbeGrid( vec3 worldPos, vec3 worldNormal, vec3 probesMin, vec3 probesMax, vec3 probesResolution ) {
	vec3 spacing = ( probesMax - probesMin ) / probesResolution;
	vec3 samplePos = worldPos + worldNormal * spacing * 0.5;
	vec3 margin = spacing * 0.01;
	return all( greaterThanEqual( samplePos, probesMin - margin ) ) && all( lessThanEqual( samplePos, probesMax + margin ) );
}
vec3 getLightProbeGridIrradiance( highp sampler3D probesSH, vec3 probesMin, vec3 probesMax, vec3 probesResolution, vec3 worldPos, vec3 worldNormal ) {
	vec3 res = probesResolution;
	vec3 gridRange = probesMax - probesMin;
	vec3 probeSpacing = gridRange / res;
	vec3 samplePos = worldPos + worldNormal * probeSpacing * 0.5;
	vec3 uvw = clamp( ( samplePos - probesMin ) / gridRange, 0.5 / res, 1.0 - 0.5 / res );
	float nz          = res.z;
	float paddedSlices = nz + 2.0;
	float atlasDepth  = 7.0 * paddedSlices;
	float uvZBase     = uvw.z * nz + 1.0;
	vec4 s0 = texture( probesSH, vec3( uvw.xy, ( uvZBase                       ) / atlasDepth ) );
	vec4 s1 = texture( probesSH, vec3( uvw.xy, ( uvZBase +       paddedSlices   ) / atlasDepth ) );
	vec4 s2 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 2.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s3 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 3.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s4 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 4.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s5 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 5.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s6 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 6.0 * paddedSlices   ) / atlasDepth ) );
	vec3 c0 = s0.xyz;
	vec3 c1 = vec3( s0.w, s1.xy );
	vec3 c2 = vec3( s1.zw, s2.x );
	vec3 c3 = s2.yzw;
	vec3 c4 = s3.xyz;
	vec3 c5 = vec3( s3.w, s4.xy );
	vec3 c6 = vec3( s4.zw, s5.x );
	vec3 c7 = s5.yzw;
	vec3 c8 = s6.xyz;
	float x = worldNormal.x, y = worldNormal.y, z = worldNormal.z;
	vec3 result = c0 * 0.886227;
	result += c1 * 2.0 * 0.511664 * y;
	result += c2 * 2.0 * 0.511664 * z;
	result += c3 * 2.0 * 0.511664 * x;
	result += c4 * 2.0 * 0.429043 * x * y;
	result += c5 * 2.0 * 0.429043 * y * z;
	result += c6 * ( 0.743125 * z * z - 0.247708 );
	result += c7 * 2.0 * 0.429043 * x * z;
	result += c8 * 0.429043 * ( x * x - y * y );
	return max( result, vec3( 0.0 ) );
}
#endif`,logdepthbuf_fragment:`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,logdepthbuf_pars_fragment:`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,logdepthbuf_pars_vertex:`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,logdepthbuf_vertex:`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,map_fragment:`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,map_pars_fragment:`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,map_particle_fragment:`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
	#if defined( USE_POINTS_UV )
		vec2 uv = vUv;
	#else
		vec2 uv = ( uvTransform * vec3( gl_PointCoord.x, 1.0 - gl_PointCoord.y, 1 ) ).xy;
	#endif
#endif
#ifdef USE_MAP
	diffuseColor *= texture2D( map, uv );
#endif
#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, uv ).g;
#endif`,map_particle_pars_fragment:`#if defined( USE_POINTS_UV )
	varying vec2 vUv;
#else
	#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
		uniform mat3 uvTransform;
	#endif
#endif
#ifdef USE_MAP
	uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,metalnessmap_fragment:`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,metalnessmap_pars_fragment:`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,morphinstance_vertex:`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,morphcolor_vertex:`#if defined( USE_MORPHCOLORS )
	#if defined( USE_COLOR_ALPHA )
		vColor *= morphTargetBaseInfluence;
	#elif defined( USE_COLOR )
		vColor.rgb *= morphTargetBaseInfluence;
	#endif
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		#if defined( USE_COLOR_ALPHA )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ) * morphTargetInfluences[ i ];
		#elif defined( USE_COLOR )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor.rgb += getMorph( gl_VertexID, i, 2 ).rgb * morphTargetInfluences[ i ];
		#endif
	}
#endif`,morphnormal_vertex:`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,morphtarget_pars_vertex:`#ifdef USE_MORPHTARGETS
	#ifndef USE_INSTANCING_MORPH
		uniform float morphTargetBaseInfluence;
		uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	#endif
	uniform sampler2DArray morphTargetsTexture;
	uniform ivec2 morphTargetsTextureSize;
	vec4 getMorph( const in int vertexIndex, const in int morphTargetIndex, const in int offset ) {
		int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
		int y = texelIndex / morphTargetsTextureSize.x;
		int x = texelIndex - y * morphTargetsTextureSize.x;
		ivec3 morphUV = ivec3( x, y, morphTargetIndex );
		return texelFetch( morphTargetsTexture, morphUV, 0 );
	}
#endif`,morphtarget_vertex:`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,normal_fragment_begin:`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
	vec3 fdx = dFdx( vViewPosition );
	vec3 fdy = dFdy( vViewPosition );
	vec3 normal = normalize( cross( fdx, fdy ) );
#else
	vec3 normal = normalize( vNormal );
	#ifdef DOUBLE_SIDED
		normal *= faceDirection;
	#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
	#ifdef USE_TANGENT
		mat3 tbn = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn = getTangentFrame( - vViewPosition, normal,
		#if defined( USE_NORMALMAP )
			vNormalMapUv
		#elif defined( USE_CLEARCOAT_NORMALMAP )
			vClearcoatNormalMapUv
		#else
			vUv
		#endif
		);
	#endif
	#ifdef DOUBLE_SIDED
		tbn[0] *= faceDirection;
		tbn[1] *= faceDirection;
	#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	#ifdef USE_TANGENT
		mat3 tbn2 = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn2 = getTangentFrame( - vViewPosition, normal, vClearcoatNormalMapUv );
	#endif
	#ifdef DOUBLE_SIDED
		tbn2[0] *= faceDirection;
		tbn2[1] *= faceDirection;
	#endif
#endif
vec3 nonPerturbedNormal = normal;`,normal_fragment_maps:`#ifdef USE_NORMALMAP_OBJECTSPACE
	normal = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#ifdef FLIP_SIDED
		normal = - normal;
	#endif
	#ifdef DOUBLE_SIDED
		normal = normal * faceDirection;
	#endif
	normal = normalize( normalMatrix * normal );
#elif defined( USE_NORMALMAP_TANGENTSPACE )
	vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#if defined( USE_PACKED_NORMALMAP )
		mapN = vec3( mapN.xy, sqrt( saturate( 1.0 - dot( mapN.xy, mapN.xy ) ) ) );
	#endif
	mapN.xy *= normalScale;
	normal = normalize( tbn * mapN );
#elif defined( USE_BUMPMAP )
	normal = perturbNormalArb( - vViewPosition, normal, dHdxy_fwd(), faceDirection );
#endif`,normal_pars_fragment:`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,normal_pars_vertex:`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,normal_vertex:`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
		#ifdef FLIP_SIDED
			vBitangent = - vBitangent;
		#endif
	#endif
#endif`,normalmap_pars_fragment:`#ifdef USE_NORMALMAP
	uniform sampler2D normalMap;
	uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
	uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
	mat3 getTangentFrame( vec3 eye_pos, vec3 surf_norm, vec2 uv ) {
		vec3 q0 = dFdx( eye_pos.xyz );
		vec3 q1 = dFdy( eye_pos.xyz );
		vec2 st0 = dFdx( uv.st );
		vec2 st1 = dFdy( uv.st );
		vec3 N = surf_norm;
		vec3 q1perp = cross( q1, N );
		vec3 q0perp = cross( N, q0 );
		vec3 T = q1perp * st0.x + q0perp * st1.x;
		vec3 B = q1perp * st0.y + q0perp * st1.y;
		float det = max( dot( T, T ), dot( B, B ) );
		float scale = ( det == 0.0 ) ? 0.0 : inversesqrt( det );
		return mat3( T * scale, B * scale, N );
	}
#endif`,clearcoat_normal_fragment_begin:`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,clearcoat_normal_fragment_maps:`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,clearcoat_pars_fragment:`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,iridescence_pars_fragment:`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,opaque_fragment:`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,packing:`vec3 packNormalToRGB( const in vec3 normal ) {
	return normalize( normal ) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal( const in vec3 rgb ) {
	return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4( 1.0, 256.0, 256.0 * 256.0, 256.0 * 256.0 * 256.0 );
const vec2 UnpackFactors2 = vec2( UnpackDownscale, 1.0 / PackFactors.g );
const vec3 UnpackFactors3 = vec3( UnpackDownscale / PackFactors.rg, 1.0 / PackFactors.b );
const vec4 UnpackFactors4 = vec4( UnpackDownscale / PackFactors.rgb, 1.0 / PackFactors.a );
vec4 packDepthToRGBA( const in float v ) {
	if( v <= 0.0 )
		return vec4( 0., 0., 0., 0. );
	if( v >= 1.0 )
		return vec4( 1., 1., 1., 1. );
	float vuf;
	float af = modf( v * PackFactors.a, vuf );
	float bf = modf( vuf * ShiftRight8, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec4( vuf * Inv255, gf * PackUpscale, bf * PackUpscale, af );
}
vec3 packDepthToRGB( const in float v ) {
	if( v <= 0.0 )
		return vec3( 0., 0., 0. );
	if( v >= 1.0 )
		return vec3( 1., 1., 1. );
	float vuf;
	float bf = modf( v * PackFactors.b, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec3( vuf * Inv255, gf * PackUpscale, bf );
}
vec2 packDepthToRG( const in float v ) {
	if( v <= 0.0 )
		return vec2( 0., 0. );
	if( v >= 1.0 )
		return vec2( 1., 1. );
	float vuf;
	float gf = modf( v * 256., vuf );
	return vec2( vuf * Inv255, gf );
}
float unpackRGBAToDepth( const in vec4 v ) {
	return dot( v, UnpackFactors4 );
}
float unpackRGBToDepth( const in vec3 v ) {
	return dot( v, UnpackFactors3 );
}
float unpackRGToDepth( const in vec2 v ) {
	return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA( const in vec2 v ) {
	vec4 r = vec4( v.x, fract( v.x * 255.0 ), v.y, fract( v.y * 255.0 ) );
	return vec4( r.x - r.y / 255.0, r.y, r.z - r.w / 255.0, r.w );
}
vec2 unpackRGBATo2Half( const in vec4 v ) {
	return vec2( v.x + ( v.y / 255.0 ), v.z + ( v.w / 255.0 ) );
}
float viewZToOrthographicDepth( const in float viewZ, const in float near, const in float far ) {
	return ( viewZ + near ) / ( near - far );
}
float orthographicDepthToViewZ( const in float depth, const in float near, const in float far ) {
	#ifdef USE_REVERSED_DEPTH_BUFFER
	
		return depth * ( far - near ) - far;
	#else
		return depth * ( near - far ) - near;
	#endif
}
float viewZToPerspectiveDepth( const in float viewZ, const in float near, const in float far ) {
	return ( ( near + viewZ ) * far ) / ( ( far - near ) * viewZ );
}
float perspectiveDepthToViewZ( const in float depth, const in float near, const in float far ) {
	
	#ifdef USE_REVERSED_DEPTH_BUFFER
		return ( near * far ) / ( ( near - far ) * depth - near );
	#else
		return ( near * far ) / ( ( far - near ) * depth - far );
	#endif
}`,premultiplied_alpha_fragment:`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,project_vertex:`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,dithering_fragment:`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,dithering_pars_fragment:`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,roughnessmap_fragment:`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,roughnessmap_pars_fragment:`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,shadowmap_pars_fragment:`#if NUM_SPOT_LIGHT_COORDS > 0
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
	uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		#define SUN_LIGHT_CASCADES 2
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#else
			uniform sampler2D sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#endif
		uniform mat4 sunShadowMatrix[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		uniform vec4 sunShadowCascade[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
		struct SunLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SunLightShadow sunLightShadows[ NUM_SUN_LIGHT_SHADOWS ];
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#else
			uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#endif
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#else
			uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#endif
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform samplerCubeShadow pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#elif defined( SHADOWMAP_TYPE_BASIC )
			uniform samplerCube pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#endif
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float interleavedGradientNoise( vec2 position ) {
			return fract( 52.9829189 * fract( dot( position, vec2( 0.06711056, 0.00583715 ) ) ) );
		}
		vec2 vogelDiskSample( int sampleIndex, int samplesCount, float phi ) {
			const float goldenAngle = 2.399963229728653;
			float r = sqrt( ( float( sampleIndex ) + 0.5 ) / float( samplesCount ) );
			float theta = float( sampleIndex ) * goldenAngle + phi;
			return vec2( cos( theta ), sin( theta ) ) * r;
		}
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float getShadow( sampler2DShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
				vec2 radius = shadowRadius * texelSize;
				float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
				shadow = (
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 0, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 1, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 2, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 3, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 4, 5, phi ) * radius, shadowCoord.z ) )
				) * 0.2;
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#elif defined( SHADOWMAP_TYPE_VSM )
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 distribution = texture2D( shadowMap, shadowCoord.xy ).rg;
				float mean = distribution.x;
				float variance = distribution.y * distribution.y;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					float hard_shadow = step( mean, shadowCoord.z );
				#else
					float hard_shadow = step( shadowCoord.z, mean );
				#endif
				
				if ( hard_shadow == 1.0 ) {
					shadow = 1.0;
				} else {
					variance = max( variance, 0.0000001 );
					float d = shadowCoord.z - mean;
					float p_max = variance / ( variance + d * d );
					p_max = clamp( ( p_max - 0.3 ) / 0.65, 0.0, 1.0 );
					shadow = max( hard_shadow, p_max );
				}
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#else
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				float depth = texture2D( shadowMap, shadowCoord.xy ).r;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					shadow = step( depth, shadowCoord.z );
				#else
					shadow = step( shadowCoord.z, depth );
				#endif
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#endif
	#if NUM_SUN_LIGHT_SHADOWS > 0
		float getSunShadow(
			#if defined( SHADOWMAP_TYPE_PCF )
				sampler2DShadow shadowMap,
			#else
				sampler2D shadowMap,
			#endif
			SunLightShadow sunLightShadow,
			int shadowIndex
		) {
			vec4 shadowWorldPosition = vec4( vSunShadowWorldPosition.xyz + vSunShadowWorldNormal * sunLightShadow.shadowNormalBias, 1.0 );
			float viewDepth = vSunShadowWorldPosition.w;
			int cascadeOffset = shadowIndex * SUN_LIGHT_CASCADES;
			float shadow = 1.0;
			for ( int i = SUN_LIGHT_CASCADES - 1; i >= 0; i -- ) {
				vec4 cascade = sunShadowCascade[ cascadeOffset + i ];
				if ( viewDepth >= cascade.x && viewDepth < cascade.y ) {
					float cascadeShadow = getShadow(
						shadowMap,
						sunLightShadow.shadowMapSize,
						sunLightShadow.shadowIntensity,
						sunLightShadow.shadowBias,
						sunLightShadow.shadowRadius,
						sunShadowMatrix[ cascadeOffset + i ] * shadowWorldPosition
					);
					shadow = mix( cascadeShadow, shadow, smoothstep( cascade.z, cascade.y, viewDepth ) );
				}
			}
			return shadow;
		}
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
	#if defined( SHADOWMAP_TYPE_PCF )
	float getPointShadow( samplerCubeShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 bd3D = normalize( lightToPosition );
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float lightDistance = length( lightToPosition );
			float depthRange = shadowCameraFar - shadowCameraNear;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				float depthA = - shadowCameraNear / depthRange - shadowBias;
				float depthB = shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#else
				float depthA = shadowCameraFar / depthRange + shadowBias;
				float depthB = - shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#endif
			float texelSize = shadowRadius / shadowMapSize.x;
			vec3 absDir = abs( bd3D );
			vec3 tangent = absDir.x > absDir.z ? vec3( 0.0, 1.0, 0.0 ) : vec3( 1.0, 0.0, 0.0 );
			tangent = normalize( cross( bd3D, tangent ) );
			vec3 bitangent = cross( bd3D, tangent );
			float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
			shadow = 0.0;
			for ( int i = 0; i < 5; i ++ ) {
				vec2 offset = vogelDiskSample( i, 5, phi );
				vec3 direction = bd3D + ( tangent * offset.x + bitangent * offset.y ) * texelSize;
				vec3 absDirection = abs( direction );
				float dp = depthA + depthB / max( max( absDirection.x, absDirection.y ), absDirection.z );
				shadow += texture( shadowMap, vec4( direction, dp ) );
			}
			shadow *= 0.2;
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#elif defined( SHADOWMAP_TYPE_BASIC )
	float getPointShadow( samplerCube shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float dp = ( shadowCameraFar * ( viewSpaceZ - shadowCameraNear ) ) / ( viewSpaceZ * ( shadowCameraFar - shadowCameraNear ) );
			dp += shadowBias;
			vec3 bd3D = normalize( lightToPosition );
			float depth = textureCube( shadowMap, bd3D ).r;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				depth = 1.0 - depth;
			#endif
			shadow = step( dp, depth );
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#endif
	#endif
#endif`,shadowmap_pars_vertex:`#if NUM_SPOT_LIGHT_COORDS > 0
	uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
#endif`,shadowmap_vertex:`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_SUN_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
	#ifdef HAS_NORMAL
		vec3 shadowWorldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
	#else
		vec3 shadowWorldNormal = vec3( 0.0 );
	#endif
	vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
	#if NUM_SUN_LIGHT_SHADOWS > 0
		vSunShadowWorldPosition = vec4( worldPosition.xyz, - mvPosition.z );
		vSunShadowWorldNormal = shadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias, 0 );
			vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias, 0 );
			vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++ ) {
		shadowWorldPosition = worldPosition;
		#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
			shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
		#endif
		vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
	}
	#pragma unroll_loop_end
#endif`,shadowmask_pars_fragment:`float getShadowMask() {
	float shadow = 1.0;
	#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHT_SHADOWS; i ++ ) {
		sunLight = sunLightShadows[ i ];
		shadow *= receiveShadow ? getSunShadow( sunShadowMap[ i ], sunLight, UNROLLED_LOOP_INDEX ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
		directionalLight = directionalLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( directionalShadowMap[ i ], directionalLight.shadowMapSize, directionalLight.shadowIntensity, directionalLight.shadowBias, directionalLight.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++ ) {
		spotLight = spotLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( spotShadowMap[ i ], spotLight.shadowMapSize, spotLight.shadowIntensity, spotLight.shadowBias, spotLight.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0 && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
	PointLightShadow pointLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
		pointLight = pointLightShadows[ i ];
		shadow *= receiveShadow ? getPointShadow( pointShadowMap[ i ], pointLight.shadowMapSize, pointLight.shadowIntensity, pointLight.shadowBias, pointLight.shadowRadius, vPointShadowCoord[ i ], pointLight.shadowCameraNear, pointLight.shadowCameraFar ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#endif
	return shadow;
}`,skinbase_vertex:`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,skinning_pars_vertex:`#ifdef USE_SKINNING
	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	mat4 getBoneMatrix( const in float i ) {
		int size = textureSize( boneTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( boneTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
#endif`,skinning_vertex:`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,skinnormal_vertex:`#ifdef USE_SKINNING
	mat4 skinMatrix = mat4( 0.0 );
	skinMatrix += skinWeight.x * boneMatX;
	skinMatrix += skinWeight.y * boneMatY;
	skinMatrix += skinWeight.z * boneMatZ;
	skinMatrix += skinWeight.w * boneMatW;
	skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
	objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent = vec4( skinMatrix * vec4( objectTangent, 0.0 ) ).xyz;
	#endif
#endif`,specularmap_fragment:`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,specularmap_pars_fragment:`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,tonemapping_fragment:`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,tonemapping_pars_fragment:`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping( vec3 color ) {
	return saturate( toneMappingExposure * color );
}
vec3 ReinhardToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	return saturate( color / ( vec3( 1.0 ) + color ) );
}
vec3 CineonToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	color = max( vec3( 0.0 ), color - 0.004 );
	return pow( ( color * ( 6.2 * color + 0.5 ) ) / ( color * ( 6.2 * color + 1.7 ) + 0.06 ), vec3( 2.2 ) );
}
vec3 RRTAndODTFit( vec3 v ) {
	vec3 a = v * ( v + 0.0245786 ) - 0.000090537;
	vec3 b = v * ( 0.983729 * v + 0.4329510 ) + 0.238081;
	return a / b;
}
vec3 ACESFilmicToneMapping( vec3 color ) {
	const mat3 ACESInputMat = mat3(
		vec3( 0.59719, 0.07600, 0.02840 ),		vec3( 0.35458, 0.90834, 0.13383 ),
		vec3( 0.04823, 0.01566, 0.83777 )
	);
	const mat3 ACESOutputMat = mat3(
		vec3(  1.60475, -0.10208, -0.00327 ),		vec3( -0.53108,  1.10813, -0.07276 ),
		vec3( -0.07367, -0.00605,  1.07602 )
	);
	color *= toneMappingExposure / 0.6;
	color = ACESInputMat * color;
	color = RRTAndODTFit( color );
	color = ACESOutputMat * color;
	return saturate( color );
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
	vec3( 1.6605, - 0.1246, - 0.0182 ),
	vec3( - 0.5876, 1.1329, - 0.1006 ),
	vec3( - 0.0728, - 0.0083, 1.1187 )
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
	vec3( 0.6274, 0.0691, 0.0164 ),
	vec3( 0.3293, 0.9195, 0.0880 ),
	vec3( 0.0433, 0.0113, 0.8956 )
);
vec3 agxDefaultContrastApprox( vec3 x ) {
	vec3 x2 = x * x;
	vec3 x4 = x2 * x2;
	return + 15.5 * x4 * x2
		- 40.14 * x4 * x
		+ 31.96 * x4
		- 6.868 * x2 * x
		+ 0.4298 * x2
		+ 0.1191 * x
		- 0.00232;
}
vec3 AgXToneMapping( vec3 color ) {
	const mat3 AgXInsetMatrix = mat3(
		vec3( 0.856627153315983, 0.137318972929847, 0.11189821299995 ),
		vec3( 0.0951212405381588, 0.761241990602591, 0.0767994186031903 ),
		vec3( 0.0482516061458583, 0.101439036467562, 0.811302368396859 )
	);
	const mat3 AgXOutsetMatrix = mat3(
		vec3( 1.1271005818144368, - 0.1413297634984383, - 0.14132976349843826 ),
		vec3( - 0.11060664309660323, 1.157823702216272, - 0.11060664309660294 ),
		vec3( - 0.016493938717834573, - 0.016493938717834257, 1.2519364065950405 )
	);
	const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
	color *= toneMappingExposure;
	color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
	color = AgXInsetMatrix * color;
	color = max( color, 1e-10 );	color = log2( color );
	color = ( color - AgxMinEv ) / ( AgxMaxEv - AgxMinEv );
	color = clamp( color, 0.0, 1.0 );
	color = agxDefaultContrastApprox( color );
	color = AgXOutsetMatrix * color;
	color = pow( max( vec3( 0.0 ), color ), vec3( 2.2 ) );
	color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
	color = clamp( color, 0.0, 1.0 );
	return color;
}
vec3 NeutralToneMapping( vec3 color ) {
	const float StartCompression = 0.8 - 0.04;
	const float Desaturation = 0.15;
	color *= toneMappingExposure;
	float x = min( color.r, min( color.g, color.b ) );
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	color -= offset;
	float peak = max( color.r, max( color.g, color.b ) );
	if ( peak < StartCompression ) return color;
	float d = 1. - StartCompression;
	float newPeak = 1. - d * d / ( peak + d - StartCompression );
	color *= newPeak / peak;
	float g = 1. - 1. / ( Desaturation * ( peak - newPeak ) + 1. );
	return mix( color, vec3( newPeak ), g );
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,transmission_fragment:`#ifdef USE_TRANSMISSION
	material.transmission = transmission;
	material.transmissionAlpha = 1.0;
	material.thickness = thickness;
	material.attenuationDistance = attenuationDistance;
	material.attenuationColor = attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		material.transmission *= texture2D( transmissionMap, vTransmissionMapUv ).r;
	#endif
	#ifdef USE_THICKNESSMAP
		material.thickness *= texture2D( thicknessMap, vThicknessMapUv ).g;
	#endif
	vec3 pos = vWorldPosition;
	vec3 v = normalize( cameraPosition - pos );
	vec3 n = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec4 transmitted = getIBLVolumeRefraction(
		n, v, material.roughness, material.diffuseContribution, material.specularColorBlended, material.specularF90,
		pos, modelMatrix, viewMatrix, projectionMatrix, material.dispersion, material.ior, material.thickness,
		material.attenuationColor, material.attenuationDistance );
	material.transmissionAlpha = mix( material.transmissionAlpha, transmitted.a, material.transmission );
	totalDiffuse = mix( totalDiffuse, transmitted.rgb, material.transmission );
#endif`,transmission_pars_fragment:`#ifdef USE_TRANSMISSION
	uniform float transmission;
	uniform float thickness;
	uniform float attenuationDistance;
	uniform vec3 attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		uniform sampler2D transmissionMap;
	#endif
	#ifdef USE_THICKNESSMAP
		uniform sampler2D thicknessMap;
	#endif
	uniform vec2 transmissionSamplerSize;
	uniform sampler2D transmissionSamplerMap;
	uniform mat4 modelMatrix;
	uniform mat4 projectionMatrix;
	varying vec3 vWorldPosition;
	float w0( float a ) {
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - a + 3.0 ) - 3.0 ) + 1.0 );
	}
	float w1( float a ) {
		return ( 1.0 / 6.0 ) * ( a *  a * ( 3.0 * a - 6.0 ) + 4.0 );
	}
	float w2( float a ){
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - 3.0 * a + 3.0 ) + 3.0 ) + 1.0 );
	}
	float w3( float a ) {
		return ( 1.0 / 6.0 ) * ( a * a * a );
	}
	float g0( float a ) {
		return w0( a ) + w1( a );
	}
	float g1( float a ) {
		return w2( a ) + w3( a );
	}
	float h0( float a ) {
		return - 1.0 + w1( a ) / ( w0( a ) + w1( a ) );
	}
	float h1( float a ) {
		return 1.0 + w3( a ) / ( w2( a ) + w3( a ) );
	}
	vec4 bicubic( sampler2D tex, vec2 uv, vec4 texelSize, float lod ) {
		uv = uv * texelSize.zw + 0.5;
		vec2 iuv = floor( uv );
		vec2 fuv = fract( uv );
		float g0x = g0( fuv.x );
		float g1x = g1( fuv.x );
		float h0x = h0( fuv.x );
		float h1x = h1( fuv.x );
		float h0y = h0( fuv.y );
		float h1y = h1( fuv.y );
		vec2 p0 = ( vec2( iuv.x + h0x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p1 = ( vec2( iuv.x + h1x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p2 = ( vec2( iuv.x + h0x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		vec2 p3 = ( vec2( iuv.x + h1x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		return g0( fuv.y ) * ( g0x * textureLod( tex, p0, lod ) + g1x * textureLod( tex, p1, lod ) ) +
			g1( fuv.y ) * ( g0x * textureLod( tex, p2, lod ) + g1x * textureLod( tex, p3, lod ) );
	}
	vec4 textureBicubic( sampler2D sampler, vec2 uv, float lod ) {
		vec2 fLodSize = vec2( textureSize( sampler, int( lod ) ) );
		vec2 cLodSize = vec2( textureSize( sampler, int( lod + 1.0 ) ) );
		vec2 fLodSizeInv = 1.0 / fLodSize;
		vec2 cLodSizeInv = 1.0 / cLodSize;
		vec4 fSample = bicubic( sampler, uv, vec4( fLodSizeInv, fLodSize ), floor( lod ) );
		vec4 cSample = bicubic( sampler, uv, vec4( cLodSizeInv, cLodSize ), ceil( lod ) );
		return mix( fSample, cSample, fract( lod ) );
	}
	vec3 getVolumeTransmissionRay( const in vec3 n, const in vec3 v, const in float thickness, const in float ior, const in mat4 modelMatrix ) {
		vec3 refractionVector = refract( - v, normalize( n ), 1.0 / ior );
		vec3 modelScale;
		modelScale.x = length( vec3( modelMatrix[ 0 ].xyz ) );
		modelScale.y = length( vec3( modelMatrix[ 1 ].xyz ) );
		modelScale.z = length( vec3( modelMatrix[ 2 ].xyz ) );
		return normalize( refractionVector ) * thickness * modelScale;
	}
	float applyIorToRoughness( const in float roughness, const in float ior ) {
		return roughness * clamp( ior * 2.0 - 2.0, 0.0, 1.0 );
	}
	vec4 getTransmissionSample( const in vec2 fragCoord, const in float roughness, const in float ior ) {
		float lod = log2( transmissionSamplerSize.x ) * applyIorToRoughness( roughness, ior );
		return textureBicubic( transmissionSamplerMap, fragCoord.xy, lod );
	}
	vec3 volumeAttenuation( const in float transmissionDistance, const in vec3 attenuationColor, const in float attenuationDistance ) {
		if ( isinf( attenuationDistance ) ) {
			return vec3( 1.0 );
		} else {
			vec3 attenuationCoefficient = -log( attenuationColor ) / attenuationDistance;
			vec3 transmittance = exp( - attenuationCoefficient * transmissionDistance );			return transmittance;
		}
	}
	vec4 getIBLVolumeRefraction( const in vec3 n, const in vec3 v, const in float roughness, const in vec3 diffuseColor,
		const in vec3 specularColor, const in float specularF90, const in vec3 position, const in mat4 modelMatrix,
		const in mat4 viewMatrix, const in mat4 projMatrix, const in float dispersion, const in float ior, const in float thickness,
		const in vec3 attenuationColor, const in float attenuationDistance ) {
		vec4 transmittedLight;
		vec3 transmittance;
		#ifdef USE_DISPERSION
			float halfSpread = ( ior - 1.0 ) * 0.025 * dispersion;
			vec3 iors = vec3( ior - halfSpread, ior, ior + halfSpread );
			for ( int i = 0; i < 3; i ++ ) {
				vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, iors[ i ], modelMatrix );
				vec3 refractedRayExit = position + transmissionRay;
				vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
				vec2 refractionCoords = ndcPos.xy / ndcPos.w;
				refractionCoords += 1.0;
				refractionCoords /= 2.0;
				vec4 transmissionSample = getTransmissionSample( refractionCoords, roughness, iors[ i ] );
				transmittedLight[ i ] = transmissionSample[ i ];
				transmittedLight.a += transmissionSample.a;
				transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance )[ i ];
			}
			transmittedLight.a /= 3.0;
		#else
			vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, ior, modelMatrix );
			vec3 refractedRayExit = position + transmissionRay;
			vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
			vec2 refractionCoords = ndcPos.xy / ndcPos.w;
			refractionCoords += 1.0;
			refractionCoords /= 2.0;
			transmittedLight = getTransmissionSample( refractionCoords, roughness, ior );
			transmittance = diffuseColor * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance );
		#endif
		vec3 attenuatedColor = transmittance * transmittedLight.rgb;
		vec3 F = EnvironmentBRDF( n, v, specularColor, specularF90, roughness );
		float transmittanceFactor = ( transmittance.r + transmittance.g + transmittance.b ) / 3.0;
		return vec4( ( 1.0 - F ) * attenuatedColor, 1.0 - ( 1.0 - transmittedLight.a ) * transmittanceFactor );
	}
#endif`,uv_pars_fragment:`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,uv_pars_vertex:`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	uniform mat3 mapTransform;
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	uniform mat3 alphaMapTransform;
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	uniform mat3 lightMapTransform;
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	uniform mat3 aoMapTransform;
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	uniform mat3 bumpMapTransform;
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	uniform mat3 normalMapTransform;
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
	uniform mat3 displacementMapTransform;
	varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	uniform mat3 emissiveMapTransform;
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	uniform mat3 metalnessMapTransform;
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	uniform mat3 roughnessMapTransform;
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	uniform mat3 diffuseRoughnessMapTransform;
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	uniform mat3 anisotropyMapTransform;
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	uniform mat3 clearcoatMapTransform;
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform mat3 clearcoatNormalMapTransform;
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform mat3 clearcoatRoughnessMapTransform;
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	uniform mat3 sheenColorMapTransform;
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	uniform mat3 sheenRoughnessMapTransform;
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	uniform mat3 iridescenceMapTransform;
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform mat3 iridescenceThicknessMapTransform;
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
	uniform mat3 specularMapTransform;
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	uniform mat3 specularColorMapTransform;
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	uniform mat3 specularIntensityMapTransform;
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,uv_vertex:`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	vUv = vec3( uv, 1 ).xy;
#endif
#ifdef USE_MAP
	vMapUv = ( mapTransform * vec3( MAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ALPHAMAP
	vAlphaMapUv = ( alphaMapTransform * vec3( ALPHAMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_LIGHTMAP
	vLightMapUv = ( lightMapTransform * vec3( LIGHTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_AOMAP
	vAoMapUv = ( aoMapTransform * vec3( AOMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_BUMPMAP
	vBumpMapUv = ( bumpMapTransform * vec3( BUMPMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_NORMALMAP
	vNormalMapUv = ( normalMapTransform * vec3( NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
	vDisplacementMapUv = ( displacementMapTransform * vec3( DISPLACEMENTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_EMISSIVEMAP
	vEmissiveMapUv = ( emissiveMapTransform * vec3( EMISSIVEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_METALNESSMAP
	vMetalnessMapUv = ( metalnessMapTransform * vec3( METALNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ROUGHNESSMAP
	vRoughnessMapUv = ( roughnessMapTransform * vec3( ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	vDiffuseRoughnessMapUv = ( diffuseRoughnessMapTransform * vec3( DIFFUSE_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ANISOTROPYMAP
	vAnisotropyMapUv = ( anisotropyMapTransform * vec3( ANISOTROPYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOATMAP
	vClearcoatMapUv = ( clearcoatMapTransform * vec3( CLEARCOATMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	vClearcoatNormalMapUv = ( clearcoatNormalMapTransform * vec3( CLEARCOAT_NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	vClearcoatRoughnessMapUv = ( clearcoatRoughnessMapTransform * vec3( CLEARCOAT_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
	vIridescenceMapUv = ( iridescenceMapTransform * vec3( IRIDESCENCEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	vIridescenceThicknessMapUv = ( iridescenceThicknessMapTransform * vec3( IRIDESCENCE_THICKNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
	vSheenColorMapUv = ( sheenColorMapTransform * vec3( SHEEN_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	vSheenRoughnessMapUv = ( sheenRoughnessMapTransform * vec3( SHEEN_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULARMAP
	vSpecularMapUv = ( specularMapTransform * vec3( SPECULARMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
	vSpecularColorMapUv = ( specularColorMapTransform * vec3( SPECULAR_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	vSpecularIntensityMapUv = ( specularIntensityMapTransform * vec3( SPECULAR_INTENSITYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
	vTransmissionMapUv = ( transmissionMapTransform * vec3( TRANSMISSIONMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_THICKNESSMAP
	vThicknessMapUv = ( thicknessMapTransform * vec3( THICKNESSMAP_UV, 1 ) ).xy;
#endif`,worldpos_vertex:`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`,background_vert:`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,background_frag:`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
	vec4 texColor = texture2D( t2D, vUv );
	#ifdef DECODE_VIDEO_TEXTURE
		texColor = vec4( mix( pow( texColor.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), texColor.rgb * 0.0773993808, vec3( lessThanEqual( texColor.rgb, vec3( 0.04045 ) ) ) ), texColor.w );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,backgroundCube_vert:`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,backgroundCube_frag:`uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <envmap_common_pars_fragment>
void main() {
	#ifdef ENVMAP_TYPE_PMREM
		vec4 texColor = textureLod( envMap, backgroundRotation * vWorldDirection, roughnessToMip( backgroundBlurriness ) );
	#else
		vec4 texColor = textureCube( envMap, backgroundRotation * vWorldDirection );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,cube_vert:`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,cube_frag:`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,depth_vert:`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vHighPrecisionZW = gl_Position.zw;
}`,depth_frag:`#if DEPTH_PACKING == 3200
	uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#if DEPTH_PACKING == 3200
		diffuseColor.a = opacity;
	#endif
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <logdepthbuf_fragment>
	#ifdef USE_REVERSED_DEPTH_BUFFER
		float fragCoordZ = vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ];
	#else
		float fragCoordZ = 0.5 * vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ] + 0.5;
	#endif
	#if DEPTH_PACKING == 3200
		gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );
	#elif DEPTH_PACKING == 3201
		gl_FragColor = packDepthToRGBA( fragCoordZ );
	#elif DEPTH_PACKING == 3202
		gl_FragColor = vec4( packDepthToRGB( fragCoordZ ), 1.0 );
	#elif DEPTH_PACKING == 3203
		gl_FragColor = vec4( packDepthToRG( fragCoordZ ), 0.0, 1.0 );
	#endif
}`,distance_vert:`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <worldpos_vertex>
	#include <clipping_planes_vertex>
	vWorldPosition = worldPosition.xyz;
}`,distance_frag:`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	float dist = length( vWorldPosition - referencePosition );
	dist = ( dist - nearDistance ) / ( farDistance - nearDistance );
	dist = saturate( dist );
	gl_FragColor = vec4( dist, 0.0, 0.0, 1.0 );
}`,equirect_vert:`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,equirect_frag:`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,linedashed_vert:`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	vLineDistance = scale * lineDistance;
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,linedashed_frag:`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	if ( mod( vLineDistance, totalSize ) > dashSize ) {
		discard;
	}
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,meshbasic_vert:`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinbase_vertex>
		#include <skinnormal_vertex>
		#include <defaultnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <fog_vertex>
}`,meshbasic_frag:`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
	varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
	#else
		reflectedLight.indirectDiffuse += vec3( 1.0 );
	#endif
	#include <aomap_fragment>
	reflectedLight.indirectDiffuse *= diffuseColor.rgb;
	vec3 outgoingLight = reflectedLight.indirectDiffuse;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshlambert_vert:`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,meshlambert_frag:`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_lambert_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshmatcap_vert:`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
	vViewPosition = - mvPosition.xyz;
}`,meshmatcap_frag:`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	vec3 viewDir = normalize( vViewPosition );
	vec3 x = normalize( vec3( viewDir.z, 0.0, - viewDir.x ) );
	vec3 y = cross( viewDir, x );
	vec2 uv = vec2( dot( x, normal ), dot( y, normal ) ) * 0.495 + 0.5;
	#ifdef USE_MATCAP
		vec4 matcapColor = texture2D( matcap, uv );
	#else
		vec4 matcapColor = vec4( vec3( mix( 0.2, 0.8, uv.y ) ), 1.0 );
	#endif
	vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshnormal_vert:`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	vViewPosition = - mvPosition.xyz;
#endif
}`,meshnormal_frag:`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 0.0, 0.0, 0.0, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	gl_FragColor = vec4( normalize( normal ) * 0.5 + 0.5, diffuseColor.a );
	#ifdef OPAQUE
		gl_FragColor.a = 1.0;
	#endif
}`,meshphong_vert:`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,meshphong_frag:`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_phong_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshphysical_vert:`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
	varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
#ifdef USE_TRANSMISSION
	vWorldPosition = worldPosition.xyz;
#endif
}`,meshphysical_frag:`#define STANDARD
#ifdef PHYSICAL
	#define IOR
	#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
	uniform float ior;
#endif
#ifdef USE_SPECULAR
	uniform float specularIntensity;
	uniform vec3 specularColor;
	#ifdef USE_SPECULAR_COLORMAP
		uniform sampler2D specularColorMap;
	#endif
	#ifdef USE_SPECULAR_INTENSITYMAP
		uniform sampler2D specularIntensityMap;
	#endif
#endif
#ifdef USE_CLEARCOAT
	uniform float clearcoat;
	uniform float clearcoatRoughness;
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
	uniform float diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		uniform sampler2D diffuseRoughnessMap;
	#endif
#endif
#ifdef USE_DISPERSION
	uniform float dispersion;
#endif
#ifdef USE_RETROREFLECTION
	uniform float retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	uniform float iridescence;
	uniform float iridescenceIOR;
	uniform float iridescenceThicknessMinimum;
	uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
	uniform vec3 sheenColor;
	uniform float sheenRoughness;
	#ifdef USE_SHEEN_COLORMAP
		uniform sampler2D sheenColorMap;
	#endif
	#ifdef USE_SHEEN_ROUGHNESSMAP
		uniform sampler2D sheenRoughnessMap;
	#endif
#endif
#ifdef USE_ANISOTROPY
	uniform vec2 anisotropyVector;
	#ifdef USE_ANISOTROPYMAP
		uniform sampler2D anisotropyMap;
	#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <roughnessmap_fragment>
	#include <metalnessmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <clearcoat_normal_fragment_begin>
	#include <clearcoat_normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
	#include <transmission_fragment>
	vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
	#ifdef USE_SHEEN
 
		outgoingLight = outgoingLight + sheenSpecularDirect + sheenSpecularIndirect;
 
 	#endif
	#ifdef USE_CLEARCOAT
		float dotNVcc = saturate( dot( geometryClearcoatNormal, geometryViewDir ) );
		vec3 Fcc = F_Schlick( material.clearcoatF0, material.clearcoatF90, dotNVcc );
		outgoingLight = outgoingLight * ( 1.0 - material.clearcoat * Fcc ) + ( clearcoatSpecularDirect + clearcoatSpecularIndirect ) * material.clearcoat;
	#endif
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshtoon_vert:`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,meshtoon_frag:`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_toon_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,points_vert:`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
	varying vec2 vUv;
	uniform mat3 uvTransform;
#endif
void main() {
	#ifdef USE_POINTS_UV
		vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	#endif
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	gl_PointSize = size;
	#ifdef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) gl_PointSize *= ( scale / - mvPosition.z );
	#endif
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <fog_vertex>
}`,points_frag:`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_particle_fragment>
	#include <color_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,shadow_vert:`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,shadow_frag:`uniform vec3 color;
uniform float opacity;
#include <common>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
	#include <logdepthbuf_fragment>
	gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,sprite_vert:`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	vec4 mvPosition = modelViewMatrix[ 3 ];
	vec2 scale = vec2( length( modelMatrix[ 0 ].xyz ), length( modelMatrix[ 1 ].xyz ) );
	#ifndef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) scale *= - mvPosition.z;
	#endif
	vec2 alignedPosition = ( position.xy - ( center - vec2( 0.5 ) ) ) * scale;
	vec2 rotatedPosition;
	rotatedPosition.x = cos( rotation ) * alignedPosition.x - sin( rotation ) * alignedPosition.y;
	rotatedPosition.y = sin( rotation ) * alignedPosition.x + cos( rotation ) * alignedPosition.y;
	mvPosition.xy += rotatedPosition;
	gl_Position = projectionMatrix * mvPosition;
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,sprite_frag:`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`},$={common:{diffuse:{value:new Q(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new ff},alphaMap:{value:null},alphaMapTransform:{value:new ff},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new ff}},envmap:{envMap:{value:null},envMapRotation:{value:new ff},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98},dfgLUT:{value:null}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new ff}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new ff}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new ff},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new ff},normalScale:{value:new X(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new ff},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new ff}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new ff}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new ff}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new Q(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},sunLights:{value:[],properties:{direction:{},color:{}}},sunLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},sunShadowMatrix:{value:[]},sunShadowCascade:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null},probesSH:{value:[]},probesMin:{value:[]},probesMax:{value:[]},probesResolution:{value:[]}},points:{diffuse:{value:new Q(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new ff},alphaTest:{value:0},uvTransform:{value:new ff}},sprite:{diffuse:{value:new Q(16777215)},opacity:{value:1},center:{value:new X(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new ff},alphaMap:{value:null},alphaMapTransform:{value:new ff},alphaTest:{value:0}}},kv={basic:{uniforms:Jg([$.common,$.specularmap,$.envmap,$.aomap,$.lightmap,$.fog]),vertexShader:Ov.meshbasic_vert,fragmentShader:Ov.meshbasic_frag},lambert:{uniforms:Jg([$.common,$.specularmap,$.envmap,$.aomap,$.lightmap,$.emissivemap,$.bumpmap,$.normalmap,$.displacementmap,$.fog,$.lights,{emissive:{value:new Q(0)},envMapIntensity:{value:1}}]),vertexShader:Ov.meshlambert_vert,fragmentShader:Ov.meshlambert_frag},phong:{uniforms:Jg([$.common,$.specularmap,$.envmap,$.aomap,$.lightmap,$.emissivemap,$.bumpmap,$.normalmap,$.displacementmap,$.fog,$.lights,{emissive:{value:new Q(0)},specular:{value:new Q(1118481)},shininess:{value:30},envMapIntensity:{value:1}}]),vertexShader:Ov.meshphong_vert,fragmentShader:Ov.meshphong_frag},standard:{uniforms:Jg([$.common,$.envmap,$.aomap,$.lightmap,$.emissivemap,$.bumpmap,$.normalmap,$.displacementmap,$.roughnessmap,$.metalnessmap,$.fog,$.lights,{emissive:{value:new Q(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:Ov.meshphysical_vert,fragmentShader:Ov.meshphysical_frag},toon:{uniforms:Jg([$.common,$.aomap,$.lightmap,$.emissivemap,$.bumpmap,$.normalmap,$.displacementmap,$.gradientmap,$.fog,$.lights,{emissive:{value:new Q(0)}}]),vertexShader:Ov.meshtoon_vert,fragmentShader:Ov.meshtoon_frag},matcap:{uniforms:Jg([$.common,$.bumpmap,$.normalmap,$.displacementmap,$.fog,{matcap:{value:null}}]),vertexShader:Ov.meshmatcap_vert,fragmentShader:Ov.meshmatcap_frag},points:{uniforms:Jg([$.points,$.fog]),vertexShader:Ov.points_vert,fragmentShader:Ov.points_frag},dashed:{uniforms:Jg([$.common,$.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:Ov.linedashed_vert,fragmentShader:Ov.linedashed_frag},depth:{uniforms:Jg([$.common,$.displacementmap]),vertexShader:Ov.depth_vert,fragmentShader:Ov.depth_frag},normal:{uniforms:Jg([$.common,$.bumpmap,$.normalmap,$.displacementmap,{opacity:{value:1}}]),vertexShader:Ov.meshnormal_vert,fragmentShader:Ov.meshnormal_frag},sprite:{uniforms:Jg([$.sprite,$.fog]),vertexShader:Ov.sprite_vert,fragmentShader:Ov.sprite_frag},background:{uniforms:{uvTransform:{value:new ff},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:Ov.background_vert,fragmentShader:Ov.background_frag},backgroundCube:{uniforms:{envMap:{value:null},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new ff}},vertexShader:Ov.backgroundCube_vert,fragmentShader:Ov.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:Ov.cube_vert,fragmentShader:Ov.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:Ov.equirect_vert,fragmentShader:Ov.equirect_frag},distance:{uniforms:Jg([$.common,$.displacementmap,{referencePosition:{value:new Z},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:Ov.distance_vert,fragmentShader:Ov.distance_frag},shadow:{uniforms:Jg([$.lights,$.fog,{color:{value:new Q(0)},opacity:{value:1}}]),vertexShader:Ov.shadow_vert,fragmentShader:Ov.shadow_frag}};kv.physical={uniforms:Jg([kv.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new ff},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new ff},clearcoatNormalScale:{value:new X(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new ff},diffuseRoughness:{value:0},diffuseRoughnessMap:{value:null},diffuseRoughnessMapTransform:{value:new ff},dispersion:{value:0},retroreflectivity:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new ff},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new ff},sheen:{value:0},sheenColor:{value:new Q(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new ff},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new ff},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new ff},transmissionSamplerSize:{value:new X},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new ff},attenuationDistance:{value:0},attenuationColor:{value:new Q(0)},specularColor:{value:new Q(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new ff},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new ff},anisotropyVector:{value:new X},anisotropyMap:{value:null},anisotropyMapTransform:{value:new ff}}]),vertexShader:Ov.meshphysical_vert,fragmentShader:Ov.meshphysical_frag};var Av={r:0,b:0,g:0},jv=new Nf,Mv=new ff;Mv.set(-1,0,0,0,1,0,0,0,1);function Nv(e,t,n,r,i,a){let o=new Q(0),s=i===!0?0:1,c,l,u=null,d=0,f=null;function p(e){let n=e.isScene===!0?e.background:null;if(n&&n.isTexture){let r=e.backgroundBlurriness>0;n=t.get(n,r)}return n}function m(t){let r=!1,i=p(t);i===null?g(o,s):i&&i.isColor&&(g(i,1),r=!0);let c=e.xr.getEnvironmentBlendMode();c===`additive`?n.buffers.color.setClear(0,0,0,1,a):c===`alpha-blend`&&n.buffers.color.setClear(0,0,0,0,a),(e.autoClear||r)&&(n.buffers.depth.setTest(!0),n.buffers.depth.setMask(!0),n.buffers.color.setMask(!0),e.clear(e.autoClearColor,e.autoClearDepth,e.autoClearStencil))}function h(t,n){let i=p(n);i&&i.isCubeTexture?(l===void 0&&(l=new Rm(new vh(1,1,1),new t_({name:`BackgroundCubeMaterial`,uniforms:qg(kv.backgroundCube.uniforms),vertexShader:kv.backgroundCube.vertexShader,fragmentShader:kv.backgroundCube.fragmentShader,side:1,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute(`normal`),l.geometry.deleteAttribute(`uv`),l.onBeforeRender=function(e,t,n){this.matrixWorld.copyPosition(n.matrixWorld)},Object.defineProperty(l.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),r.update(l)),l.material.uniforms.envMap.value=i,l.material.uniforms.backgroundBlurriness.value=n.backgroundBlurriness,l.material.uniforms.backgroundIntensity.value=n.backgroundIntensity,l.material.uniforms.backgroundRotation.value.setFromMatrix4(jv.makeRotationFromEuler(n.backgroundRotation)).transpose(),i.isRenderTargetTexture===!1&&l.material.uniforms.backgroundRotation.value.premultiply(Mv),l.material.toneMapped=_f.getTransfer(i.colorSpace)!==vd,(u!==i||d!==i.version||f!==e.toneMapping)&&(l.material.needsUpdate=!0,u=i,d=i.version,f=e.toneMapping),l.layers.enableAll(),t.unshift(l,l.geometry,l.material,0,0,null)):i&&i.isTexture&&(c===void 0&&(c=new Rm(new Bg(2,2),new t_({name:`BackgroundMaterial`,uniforms:qg(kv.background.uniforms),vertexShader:kv.background.vertexShader,fragmentShader:kv.background.fragmentShader,side:0,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute(`normal`),Object.defineProperty(c.material,"map",{get:function(){return this.uniforms.t2D.value}}),r.update(c)),c.material.uniforms.t2D.value=i,c.material.uniforms.backgroundIntensity.value=n.backgroundIntensity,c.material.toneMapped=_f.getTransfer(i.colorSpace)!==vd,i.matrixAutoUpdate===!0&&i.updateMatrix(),c.material.uniforms.uvTransform.value.copy(i.matrix),(u!==i||d!==i.version||f!==e.toneMapping)&&(c.material.needsUpdate=!0,u=i,d=i.version,f=e.toneMapping),c.layers.enableAll(),t.unshift(c,c.geometry,c.material,0,0,null))}function g(t,r){t.getRGB(Av,Zg(e)),n.buffers.color.setClear(Av.r,Av.g,Av.b,r,a)}function _(){l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0),c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0)}return{getClearColor:function(){return o},setClearColor:function(e,t=1){o.set(e),s=t,g(o,s)},getClearAlpha:function(){return s},setClearAlpha:function(e){s=e,g(o,s)},render:m,addToRenderList:h,dispose:_}}function Pv(e,t){let n=e.getParameter(e.MAX_VERTEX_ATTRIBS),r={},i=f(null),a=i,o=!1;function s(n,r,i,s,c){let u=!1,f=d(n,s,i,r);a!==f&&(a=f,l(a.object)),u=p(n,s,i,c),u&&m(n,s,i,c),c!==null&&t.update(c,e.ELEMENT_ARRAY_BUFFER),(u||o)&&(o=!1,b(n,r,i,s),c!==null&&e.bindBuffer(e.ELEMENT_ARRAY_BUFFER,t.get(c).buffer))}function c(){return e.createVertexArray()}function l(t){return e.bindVertexArray(t)}function u(t){return e.deleteVertexArray(t)}function d(e,t,n,i){let a=i.wireframe===!0,o=r[t.id];o===void 0&&(o={},r[t.id]=o);let s=e.isInstancedMesh===!0?e.id:0,l=o[s];l===void 0&&(l={},o[s]=l);let u=l[n.id];u===void 0&&(u={},l[n.id]=u);let d=u[a];return d===void 0&&(d=f(c()),u[a]=d),d}function f(e){let t=[],r=[],i=[];for(let e=0;e<n;e++)t[e]=0,r[e]=0,i[e]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:t,enabledAttributes:r,attributeDivisors:i,object:e,attributes:{},index:null}}function p(e,t,n,r){let i=a.attributes,o=t.attributes,s=0,c=n.getAttributes();for(let t in c)if(c[t].location>=0){let n=i[t],r=o[t];if(r===void 0&&(t===`instanceMatrix`&&e.instanceMatrix&&(r=e.instanceMatrix),t===`instanceColor`&&e.instanceColor&&(r=e.instanceColor)),n===void 0||n.attribute!==r||r&&n.data!==r.data)return!0;s++}return a.attributesNum!==s||a.index!==r}function m(e,t,n,r){let i={},o=t.attributes,s=0,c=n.getAttributes();for(let t in c)if(c[t].location>=0){let n=o[t];n===void 0&&(t===`instanceMatrix`&&e.instanceMatrix&&(n=e.instanceMatrix),t===`instanceColor`&&e.instanceColor&&(n=e.instanceColor));let r={};r.attribute=n,n&&n.data&&(r.data=n.data),i[t]=r,s++}a.attributes=i,a.attributesNum=s,a.index=r}function h(){let e=a.newAttributes;for(let t=0,n=e.length;t<n;t++)e[t]=0}function g(e){_(e,0)}function _(t,n){let r=a.newAttributes,i=a.enabledAttributes,o=a.attributeDivisors;r[t]=1,i[t]===0&&(e.enableVertexAttribArray(t),i[t]=1),o[t]!==n&&(e.vertexAttribDivisor(t,n),o[t]=n)}function v(){let t=a.newAttributes,n=a.enabledAttributes;for(let r=0,i=n.length;r<i;r++)n[r]!==t[r]&&(e.disableVertexAttribArray(r),n[r]=0)}function y(t,n,r,i,a,o,s){s===!0?e.vertexAttribIPointer(t,n,r,a,o):e.vertexAttribPointer(t,n,r,i,a,o)}function b(n,r,i,a){h();let o=a.attributes,s=i.getAttributes(),c=r.defaultAttributeValues;for(let r in s){let i=s[r];if(i.location>=0){let s=o[r];if(s===void 0&&(r===`instanceMatrix`&&n.instanceMatrix&&(s=n.instanceMatrix),r===`instanceColor`&&n.instanceColor&&(s=n.instanceColor)),s!==void 0){let r=s.normalized,o=s.itemSize,c=t.get(s);if(c===void 0)continue;let l=c.buffer,u=c.type,d=c.bytesPerElement,f=u===e.INT||u===e.UNSIGNED_INT||s.gpuType===1013;if(s.isInterleavedBufferAttribute){let t=s.data,c=t.isInterleavedBuffer===!0?t.stride:t.itemSize,p=s.offset;if(t.isInstancedInterleavedBuffer||t.isInstancedBufferAttribute){for(let e=0;e<i.locationSize;e++)_(i.location+e,t.meshPerAttribute);n.isInstancedMesh!==!0&&a._maxInstanceCount===void 0&&(a._maxInstanceCount=t.meshPerAttribute*t.count)}else for(let e=0;e<i.locationSize;e++)g(i.location+e);e.bindBuffer(e.ARRAY_BUFFER,l);for(let e=0;e<i.locationSize;e++)y(i.location+e,o/i.locationSize,u,r,c*d,(p+o/i.locationSize*e)*d,f)}else{if(s.isInstancedBufferAttribute){for(let e=0;e<i.locationSize;e++)_(i.location+e,s.meshPerAttribute);n.isInstancedMesh!==!0&&a._maxInstanceCount===void 0&&(a._maxInstanceCount=s.meshPerAttribute*s.count)}else for(let e=0;e<i.locationSize;e++)g(i.location+e);e.bindBuffer(e.ARRAY_BUFFER,l);for(let e=0;e<i.locationSize;e++)y(i.location+e,o/i.locationSize,u,r,o*d,o/i.locationSize*e*d,f)}}else if(c!==void 0){let t=c[r];if(t!==void 0)switch(t.length){case 2:e.vertexAttrib2fv(i.location,t);break;case 3:e.vertexAttrib3fv(i.location,t);break;case 4:e.vertexAttrib4fv(i.location,t);break;default:e.vertexAttrib1fv(i.location,t)}}}}v()}function x(){T();for(let e in r){let t=r[e];for(let e in t){let n=t[e];for(let e in n){let t=n[e];for(let e in t)u(t[e].object),delete t[e];delete n[e]}}delete r[e]}}function S(e){if(r[e.id]===void 0)return;let t=r[e.id];for(let e in t){let n=t[e];for(let e in n){let t=n[e];for(let e in t)u(t[e].object),delete t[e];delete n[e]}}delete r[e.id]}function C(e){for(let t in r){let n=r[t];for(let t in n){let r=n[t];if(r[e.id]===void 0)continue;let i=r[e.id];for(let e in i)u(i[e].object),delete i[e];delete r[e.id]}}}function w(e){for(let t in r){let n=r[t],i=e.isInstancedMesh===!0?e.id:0,a=n[i];if(a!==void 0){for(let e in a){let t=a[e];for(let e in t)u(t[e].object),delete t[e];delete a[e]}delete n[i],Object.keys(n).length===0&&delete r[t]}}}function T(){E(),o=!0,a!==i&&(a=i,l(a.object))}function E(){i.geometry=null,i.program=null,i.wireframe=!1}return{setup:s,reset:T,resetDefaultState:E,dispose:x,releaseStatesOfGeometry:S,releaseStatesOfObject:w,releaseStatesOfProgram:C,initAttributes:h,enableAttribute:g,disableUnusedAttributes:v}}function Fv(e,t,n){let r;function i(e){r=e}function a(t,i){e.drawArrays(r,t,i),n.update(i,r,1)}function o(t,i,a){a!==0&&(e.drawArraysInstanced(r,t,i,a),n.update(i,r,a))}function s(e,i,a){if(a===0)return;t.get(`WEBGL_multi_draw`).multiDrawArraysWEBGL(r,e,0,i,0,a);let o=0;for(let e=0;e<a;e++)o+=i[e];n.update(o,r,1)}this.setMode=i,this.render=a,this.renderInstances=o,this.renderMultiDraw=s}function Iv(e,t,n,r){let i;function a(){if(i!==void 0)return i;if(t.has(`EXT_texture_filter_anisotropic`)===!0){let n=t.get(`EXT_texture_filter_anisotropic`);i=e.getParameter(n.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else i=0;return i}function o(t){return t===1023||r.convert(t)===e.getParameter(e.IMPLEMENTATION_COLOR_READ_FORMAT)}function s(n){let i=n===1016&&(t.has(`EXT_color_buffer_half_float`)||t.has(`EXT_color_buffer_float`));return!(n!==1009&&n!==1015&&!i&&r.convert(n)!==e.getParameter(e.IMPLEMENTATION_COLOR_READ_TYPE))}function c(t){if(t===`highp`){if(e.getShaderPrecisionFormat(e.VERTEX_SHADER,e.HIGH_FLOAT).precision>0&&e.getShaderPrecisionFormat(e.FRAGMENT_SHADER,e.HIGH_FLOAT).precision>0)return`highp`;t=`mediump`}return t===`mediump`&&e.getShaderPrecisionFormat(e.VERTEX_SHADER,e.MEDIUM_FLOAT).precision>0&&e.getShaderPrecisionFormat(e.FRAGMENT_SHADER,e.MEDIUM_FLOAT).precision>0?`mediump`:`lowp`}let l=n.precision===void 0?`highp`:n.precision,u=c(l);u!==l&&(Y(`WebGLRenderer:`,l,`not supported, using`,u,`instead.`),l=u);let d=n.reversedDepthBuffer===!0&&t.has(`EXT_clip_control`),f=n.logarithmicDepthBuffer===!0&&d===!1;n.reversedDepthBuffer===!0&&d===!1&&Y(`WebGLRenderer: Unable to use reversed depth buffer due to missing EXT_clip_control extension. Fallback to default depth buffer.`),n.logarithmicDepthBuffer===!0&&d===!0&&Y(`WebGLRenderer: Logarithmic depth buffer is ignored when reversed depth buffer is enabled.`);let p=e.getParameter(e.MAX_TEXTURE_IMAGE_UNITS),m=e.getParameter(e.MAX_VERTEX_TEXTURE_IMAGE_UNITS),h=e.getParameter(e.MAX_TEXTURE_SIZE),g=e.getParameter(e.MAX_CUBE_MAP_TEXTURE_SIZE),_=e.getParameter(e.MAX_VERTEX_ATTRIBS),v=e.getParameter(e.MAX_VERTEX_UNIFORM_VECTORS),y=e.getParameter(e.MAX_VARYING_VECTORS),b=e.getParameter(e.MAX_FRAGMENT_UNIFORM_VECTORS),x=e.getParameter(e.MAX_SAMPLES),S=e.getParameter(e.SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:a,getMaxPrecision:c,textureFormatReadable:o,textureTypeReadable:s,precision:l,logarithmicDepthBuffer:f,reversedDepthBuffer:d,maxTextures:p,maxVertexTextures:m,maxTextureSize:h,maxCubemapSize:g,maxAttributes:_,maxVertexUniforms:v,maxVaryings:y,maxFragmentUniforms:b,maxSamples:x,samples:S}}function Lv(e){let t=this,n=null,r=0,i=!1,a=!1,o=new vm,s=new ff,c={value:null,needsUpdate:!1};this.uniform=c,this.numPlanes=0,this.numIntersection=0,this.init=function(e,t){let n=e.length!==0||t||r!==0||i;return i=t,r=e.length,n},this.beginShadows=function(){a=!0,u(null)},this.endShadows=function(){a=!1},this.setGlobalState=function(e,t){n=u(e,t,0)},this.setState=function(t,o,s){let d=t.clippingPlanes,f=t.clipIntersection,p=t.clipShadows,m=e.get(t);if(!i||d===null||d.length===0||a&&!p)a?u(null):l();else{let e=a?0:r,t=e*4,i=m.clippingState||null;c.value=i,i=u(d,o,t,s);for(let e=0;e!==t;++e)i[e]=n[e];m.clippingState=i,this.numIntersection=f?this.numPlanes:0,this.numPlanes+=e}};function l(){c.value!==n&&(c.value=n,c.needsUpdate=r>0),t.numPlanes=r,t.numIntersection=0}function u(e,n,r,i){let a=e===null?0:e.length,l=null;if(a!==0){if(l=c.value,i!==!0||l===null){let t=r+a*4,i=n.matrixWorldInverse;s.getNormalMatrix(i),(l===null||l.length<t)&&(l=new Float32Array(t));for(let t=0,n=r;t!==a;++t,n+=4)o.copy(e[t]).applyMatrix4(i,s),o.normal.toArray(l,n),l[n+3]=o.constant}c.value=l,c.needsUpdate=!0}return t.numPlanes=a,t.numIntersection=0,l}}var Rv=class extends Af{constructor(e=1,t={}){super(e,e,t),this.isWebGLCubeRenderTarget=!0;let n={width:e,height:e,depth:1},r=[n,n,n,n,n,n];this.texture=new mh(r),this._setTextureOptions(t),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(e,t){this.texture.type=t.type,this.texture.colorSpace=t.colorSpace,this.texture.generateMipmaps=t.generateMipmaps,this.texture.minFilter=t.minFilter,this.texture.magFilter=t.magFilter;let n={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},r=new vh(5,5,5),i=new t_({name:`CubemapFromEquirect`,uniforms:qg(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:1,blending:0});i.uniforms.tEquirect.value=t;let a=new Rm(r,i),o=t.minFilter;return t.minFilter===1008&&(t.minFilter=$l),new q_(1,10,this).update(e,a),t.minFilter=o,a.geometry.dispose(),a.material.dispose(),this}clear(e,t=!0,n=!0,r=!0){let i=e.getRenderTarget();for(let i=0;i<6;i++)e.setRenderTarget(this,i),e.clear(t,n,r);e.setRenderTarget(i)}},zv=256,Bv=3,Vv=20,Hv=256,Uv=16,Wv=3,Gv=new Z,Kv=new Q,qv=class e{constructor(e){this._renderer=e,this._cubeSize=0,this._sourceTarget=null,this._cubeCamera=new q_(1,10,null),this._boxMesh=new Rm(new vh(5,5,5),null),this._cubemapMaterial=null,this._equirectMaterial=null,this._blurMaterial=null,this._ggxMaterial=null,this._integrationMaterial=null}fromScene(e,t=0,n=.1,r=100,i={}){let{size:a=256,position:o=Gv}=i,s=this._renderer;this._setSize(a);let c=this._allocateTarget(),l=this._getSourceTarget(!0);t>0&&(l.texture.mipmapsAutoUpdate=!1);let u=s.autoClear,d=s.autoClearColor,f=s.autoClearDepth,p=s.autoClearStencil,m=e.background;s.autoClear=!0,s.autoClearColor=!0,s.autoClearDepth=!0,s.autoClearStencil=!0,m===null&&(e.background=s.getClearColor(Kv));let h=new q_(n,r,l);return h.position.copy(o),h.update(s,e),s.autoClear=u,s.autoClearColor=d,s.autoClearDepth=f,s.autoClearStencil=p,e.background=m,t>0&&(l.texture.mipmapsAutoUpdate=!0,this._blur(c,t)),this._applyPMREM(c),c}fromEquirectangular(e,t=null){return this._fromTexture(e,t)}fromCubemap(e,t=null){return this._fromTexture(e,t)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=ey(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=$v(),this._compileMaterial(this._equirectMaterial))}dispose(){this._sourceTarget!==null&&this._sourceTarget.dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose(),this._blurMaterial!==null&&this._blurMaterial.dispose(),this._ggxMaterial!==null&&this._ggxMaterial.dispose(),this._integrationMaterial!==null&&this._integrationMaterial.dispose(),this._boxMesh.geometry.dispose()}static lodToRoughness(e,t){return t>0?1-Math.sqrt(1-e/t):0}_setSize(e){this._cubeSize=Math.max(zv,nf(e))}_fromTexture(e,t){e.mapping===301||e.mapping===302?this._setSize(e.image.length===0?zv:e.image[0].width||e.image[0].image.width):this._setSize(e.image.width/4);let n=t||this._allocateTarget();return this._textureToCubemap(e),this._applyPMREM(n),n}_allocateTarget(){let e=this._cubeSize,t=Jv(e,!1,!1),n=Math.log2(e)-Bv;for(let r=0;r<=n;r++)t.texture.mipmaps.push({width:e>>r,height:e>>r});return t.texture.name=`PMREM`,t.texture.isPMREMTexture=!0,t}_getSourceTarget(e=!1){let t=this._cubeSize,n=this._sourceTarget;return(n===null||n.width!==t||e&&n.depthBuffer===!1)&&(n!==null&&n.dispose(),this._sourceTarget=Jv(t,!0,e)),this._sourceTarget}_compileMaterial(e){this._boxMesh.material=e,this._renderer.compile(this._boxMesh,this._cubeCamera.children[0])}_renderCube(e,t,n){let r=this._boxMesh,i=this._cubeCamera;r.material=n,i.renderTarget=e,i.activeMipmapLevel=t;let a=e.width>>t;e.viewport.set(0,0,a,a),i.update(this._renderer,r),e.viewport.set(0,0,e.width,e.height)}_textureToCubemap(e){let t;e.mapping===301||e.mapping===302?(this._cubemapMaterial===null&&(this._cubemapMaterial=ey()),t=this._cubemapMaterial,t.uniforms.flipEnvMap.value=e.isRenderTargetTexture===!1?-1:1):(this._equirectMaterial===null&&(this._equirectMaterial=$v()),t=this._equirectMaterial),t.uniforms.envMap.value=e,this._renderCube(this._getSourceTarget(),0,t)}_applyPMREM(t){this._ggxMaterial===null&&(this._ggxMaterial=Xv(),this._integrationMaterial=Zv());let n=this._cubeSize,r=t.texture.mipmaps.length-1,i=this._ggxMaterial.uniforms;i.envMap.value=this._sourceTarget.texture;let a=this._integrationMaterial.uniforms;a.envMap.value=this._sourceTarget.texture,a.sourceLod.value=Math.log2(n/Uv);for(let o=0;o<=r;o++){let s=e.lodToRoughness(o,r);if(o>r-Wv)a.roughness.value=s,this._renderCube(t,o,this._integrationMaterial);else{let e=s>0?Math.log2(n)+.5*Math.log2(6/(Hv*s**4))+.5:0;i.roughness.value=s,i.lodBias.value=e,this._renderCube(t,o,this._ggxMaterial)}}}_blur(e,t){this._blurMaterial===null&&(this._blurMaterial=Qv());let n=this._blurMaterial,r=n.uniforms,i=this._sourceTarget;r.sigma.value=Math.min(t,Math.PI)/Math.SQRT2,r.envMap.value=i.texture,this._renderCube(e,0,n),r.envMap.value=e.texture,this._renderCube(i,0,n)}};function Jv(e,t,n){return new Rv(e,{minFilter:tu,generateMipmaps:t,type:lu,colorSpace:gd,depthBuffer:n})}function Yv(e,t,n){return new t_({name:e,uniforms:t,vertexShader:Ov.cube_vert,fragmentShader:n,side:1,blending:0,depthTest:!1,depthWrite:!1})}function Xv(){return Yv(`PMREMGGXConvolution`,{envMap:{value:null},roughness:{value:0},lodBias:{value:0}},`

		#define GGX_SAMPLES ${Hv}u

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float lodBias;

		#include <common>

		// Van der Corput radical inverse
		float radicalInverse_VdC( uint bits ) {

			bits = ( bits << 16u ) | ( bits >> 16u );
			bits = ( ( bits & 0x55555555u ) << 1u ) | ( ( bits & 0xAAAAAAAAu ) >> 1u );
			bits = ( ( bits & 0x33333333u ) << 2u ) | ( ( bits & 0xCCCCCCCCu ) >> 2u );
			bits = ( ( bits & 0x0F0F0F0Fu ) << 4u ) | ( ( bits & 0xF0F0F0F0u ) >> 4u );
			bits = ( ( bits & 0x00FF00FFu ) << 8u ) | ( ( bits & 0xFF00FF00u ) >> 8u );
			return float( bits ) * 2.3283064365386963e-10; // / 0x100000000

		}

		// Hammersley sequence
		vec2 hammersley( uint i, uint N ) {

			return vec2( float( i ) / float( N ), radicalInverse_VdC( i ) );

		}

		void main() {

			vec3 N = normalize( vWorldDirection );

			// For very low roughness, just sample the environment directly
			if ( roughness < 0.001 ) {

				gl_FragColor = vec4( textureLod( envMap, N, 0.0 ).rgb, 1.0 );
				return;

			}

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			// Tangent space basis for VNDF sampling
			vec3 up = abs( N.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, N ) );
			vec3 bitangent = cross( N, tangent );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			for ( uint i = 0u; i < GGX_SAMPLES; i ++ ) {

				vec2 Xi = hammersley( i, GGX_SAMPLES );

				// With V = N, sample the reflected direction directly.
				float invQ = 1.0 / ( 1.0 - Xi.x + alpha2 * Xi.x );
				float NdotL = ( 1.0 - Xi.x - alpha2 * Xi.x ) * invQ;

				if ( NdotL > 0.0 ) {

					float phi = 2.0 * PI * Xi.y;
					float sinTheta = 2.0 * alpha * sqrt( Xi.x * ( 1.0 - Xi.x ) ) * invQ;
					vec3 L = N * NdotL + ( tangent * cos( phi ) + bitangent * sin( phi ) ) * sinTheta;

					// Match the source mip to the sample's solid angle. The terms
					// independent of the sample are precomputed in lodBias.
					float d = alpha2 * invQ;
					float lod = max( log2( d ) + lodBias, 0.0 );

					// Weight by NdotL for the split-sum approximation
					prefilteredColor += textureLod( envMap, L, lod ).rgb * NdotL;
					totalWeight += NdotL;

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function Zv(){return Yv(`PMREMGGXIntegration`,{envMap:{value:null},roughness:{value:0},sourceLod:{value:0},sourceSize:{value:Uv}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float sourceLod;
		uniform int sourceSize;

		void main() {

			vec3 N = normalize( vWorldDirection );

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			float texelSize = 2.0 / float( sourceSize );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			// Pair opposite texels: only the one in N's hemisphere contributes.
			for ( int face = 0; face < 3; face ++ ) {

				for ( int y = 0; y < sourceSize; y ++ ) {

					for ( int x = 0; x < sourceSize; x ++ ) {

						vec2 uv = ( vec2( x, y ) + 0.5 ) * texelSize - 1.0;
						vec3 texelDirection = face == 0 ? vec3( 1.0, uv ) : ( face == 1 ? vec3( uv.x, 1.0, uv.y ) : vec3( uv, 1.0 ) );

						float invDistance = inversesqrt( 1.0 + dot( uv, uv ) );
						float NdotL = dot( N, texelDirection );
						texelDirection *= NdotL < 0.0 ? - 1.0 : 1.0;
						NdotL = abs( NdotL ) * invDistance;

						// With V = N, NdotH squared is ( 1 + NdotL ) / 2. Common factors
						// in the GGX distribution and texel solid angle cancel when normalized.
						float d = 1.0 + alpha2 + ( alpha2 - 1.0 ) * NdotL;
						float weight = NdotL * invDistance * invDistance * invDistance / ( d * d );

						prefilteredColor += textureLod( envMap, texelDirection, sourceLod ).rgb * weight;
						totalWeight += weight;

					}

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function Qv(){return Yv(`PMREMSphericalGaussianBlur`,{envMap:{value:null},sigma:{value:0}},`

		#define SAMPLES ${Vv}
		#define GOLDEN_ANGLE 2.39996322973

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float sigma;

		#include <common>

		void main() {

			vec3 outputDirection = normalize( vWorldDirection );

			vec3 up = abs( outputDirection.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, outputDirection ) );
			vec3 bitangent = cross( outputDirection, tangent );

			// Truncate the kernel at three standard deviations or at the antipode.
			float thetaMax = min( 3.0 * sigma, PI );
			float truncation = 1.0 - exp( - 0.5 * thetaMax * thetaMax / ( sigma * sigma ) );

			vec3 accumColor = vec3( 0.0 );
			float accumWeight = 0.0;

			for ( int i = 0; i < SAMPLES; i ++ ) {

				// Stratified inverse-CDF sampling of the Gaussian, placed on a golden-angle spiral.
				float stratum = ( float( i ) + 0.5 ) / float( SAMPLES );
				float theta = sigma * sqrt( - 2.0 * log( 1.0 - stratum * truncation ) );
				float phi = float( i ) * GOLDEN_ANGLE;

				vec3 offset = cos( phi ) * tangent + sin( phi ) * bitangent;
				vec3 sampleDirection = cos( theta ) * outputDirection + sin( theta ) * offset;

				// Correct the planar sample density to solid angle.
				float weight = sin( theta ) / theta;

				accumColor += weight * textureLod( envMap, sampleDirection, 0.0 ).rgb;
				accumWeight += weight;

			}

			gl_FragColor = vec4( accumColor / accumWeight, 1.0 );

		}
	`)}function $v(){return Yv(`PMREMEquirectangularToCubemap`,{envMap:{value:null}},`

		varying vec3 vWorldDirection;

		uniform sampler2D envMap;

		#include <common>

		void main() {

			// Average four subpixel samples to preserve small, bright features.
			vec3 direction = normalize( vWorldDirection );
			vec3 dx = dFdx( direction ) * 0.25;
			vec3 dy = dFdy( direction ) * 0.25;

			vec3 color = textureLod( envMap, equirectUv( normalize( direction - dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction - dx + dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx + dy ) ), 0.0 ).rgb;
			gl_FragColor = vec4( color * 0.25, 1.0 );

		}
	`)}function ey(){return Yv(`PMREMCubemapToCubemap`,{envMap:{value:null},flipEnvMap:{value:-1}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float flipEnvMap;

		void main() {

			gl_FragColor = vec4( textureCube( envMap, vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) ).rgb, 1.0 );

		}
	`)}function ty(e){let t=new WeakMap,n=new WeakMap,r=null;function i(e,t=!1){return e==null?null:t?o(e):a(e)}function a(n){if(n&&n.isTexture){let r=n.mapping;if(r===303||r===304){if(t.has(n)){let e=t.get(n).texture;return s(e,n.mapping)}{let r=n.image;if(r&&r.height>0){let i=new Rv(r.height);return i.fromEquirectangularTexture(e,n),t.set(n,i),n.addEventListener(`dispose`,l),s(i.texture,n.mapping)}return null}}}return n}function o(t){if(t&&t.isTexture&&t.isPMREMTexture!==!0){let i=t.mapping,a=i===303||i===304,o=i===301||i===302;if(a||o){let i=n.get(t),s=i===void 0?0:i.texture.pmremVersion;if(t.isRenderTargetTexture&&t.pmremVersion!==s)return r===null&&(r=new qv(e)),i=a?r.fromEquirectangular(t,i):r.fromCubemap(t,i),i.texture.pmremVersion=t.pmremVersion,n.set(t,i),i.texture;if(i!==void 0)return i.texture;{let s=t.image;return a&&s&&s.height>0||o&&s&&c(s)?(r===null&&(r=new qv(e)),i=a?r.fromEquirectangular(t):r.fromCubemap(t),i.texture.pmremVersion=t.pmremVersion,n.set(t,i),t.addEventListener(`dispose`,u),i.texture):null}}}return t}function s(e,t){return t===303?e.mapping=301:t===304&&(e.mapping=302),e}function c(e){let t=0;for(let n=0;n<6;n++)e[n]!==void 0&&t++;return t===6}function l(e){let n=e.target;n.removeEventListener(`dispose`,l);let r=t.get(n);r!==void 0&&(t.delete(n),r.dispose())}function u(e){let t=e.target;t.removeEventListener(`dispose`,u);let r=n.get(t);r!==void 0&&(n.delete(t),r.dispose())}function d(){t=new WeakMap,n=new WeakMap,r!==null&&(r.dispose(),r=null)}return{get:i,dispose:d}}function ny(e){let t={};function n(n){if(t[n]!==void 0)return t[n];let r=e.getExtension(n);return t[n]=r,r}return{has:function(e){return n(e)!==null},init:function(){n(`EXT_color_buffer_float`),n(`WEBGL_clip_cull_distance`),n(`OES_texture_float_linear`),n(`EXT_color_buffer_half_float`),n(`WEBGL_multisampled_render_to_texture`),n(`WEBGL_render_shared_exponent`)},get:function(e){let t=n(e);return t===null&&Ad(`WebGLRenderer: `+e+` extension not supported.`),t}}}function ry(e,t,n,r){let i={},a=new WeakMap,o=new FinalizationRegistry(e=>delete i[e]);function s(e){c(e.target)}function c(e){e.index!==null&&t.remove(e.index);for(let n in e.attributes)t.remove(e.attributes[n]);e.removeEventListener(`dispose`,s),delete i[e.id],o.unregister(e);let c=a.get(e);c&&(t.remove(c),a.delete(e)),r.releaseStatesOfGeometry(e),e.isInstancedBufferGeometry===!0&&delete e._maxInstanceCount,n.memory.geometries--}function l(e,t){return i[t.id]===void 0&&(t.addEventListener(`dispose`,s),i[t.id]=new WeakRef(t),o.register(t,t.id,t),n.memory.geometries++),t}function u(n){let r=n.attributes;for(let n in r)t.update(r[n],e.ARRAY_BUFFER)}function d(e){let n=e.index,r=e.attributes.position,i=0;if(r===void 0)return;let o=n===null?r.array.length/3-1:n.array.length,s=new(r.count>=65535?Zp:Xp)(Math.ceil(o/3)*6,1),c=s.array;if(n!==null){let e=n.array;i=n.version;for(let t=0,n=0;t<o;t+=3){let r=e[t+0],i=e[t+1],a=e[t+2];c[n++]=r,c[n++]=i,c[n++]=i,c[n++]=a,c[n++]=a,c[n++]=r}}else{i=r.version;for(let e=0,t=0;e<o;e+=3){let n=e+0,r=e+1,i=e+2;c[t++]=n,c[t++]=r,c[t++]=r,c[t++]=i,c[t++]=i,c[t++]=n}}s.version=i;let l=a.get(e);l&&t.remove(l),a.set(e,s)}function f(e){let t=a.get(e);if(t){let n=e.index;n!==null&&t.version<n.version&&d(e)}else d(e);return a.get(e)}function p(){for(let e in i){let t=i[e].deref();t!==void 0&&c(t)}}return{get:l,update:u,getWireframeAttribute:f,dispose:p}}function iy(e,t,n){let r;function i(e){r=e}let a,o;function s(e){a=e.type,o=e.bytesPerElement}function c(t,i){e.drawElements(r,i,a,t*o),n.update(i,r,1)}function l(t,i,s){s!==0&&(e.drawElementsInstanced(r,i,a,t*o,s),n.update(i,r,s))}function u(e,i,o){if(o===0)return;t.get(`WEBGL_multi_draw`).multiDrawElementsWEBGL(r,i,0,a,e,0,o);let s=0;for(let e=0;e<o;e++)s+=i[e];n.update(s,r,1)}this.setMode=i,this.setIndex=s,this.render=c,this.renderInstances=l,this.renderMultiDraw=u}function ay(e){let t={geometries:0,textures:0},n={frame:0,calls:0,triangles:0,points:0,lines:0};function r(t,r,i){switch(n.calls++,r){case e.TRIANGLES:n.triangles+=t/3*i;break;case e.LINES:n.lines+=t/2*i;break;case e.LINE_STRIP:n.lines+=i*(t-1);break;case e.LINE_LOOP:n.lines+=i*t;break;case e.POINTS:n.points+=i*t;break;default:kd(`WebGLInfo: Unknown draw mode:`,r)}}function i(){n.calls=0,n.triangles=0,n.points=0,n.lines=0}return{memory:t,render:n,programs:null,autoReset:!0,reset:i,update:r}}function oy(e,t,n){let r=new WeakMap,i=new Of;function a(a,o,s){let c=a.morphTargetInfluences,l=o.morphAttributes.position||o.morphAttributes.normal||o.morphAttributes.color,u=l===void 0?0:l.length,d=r.get(o);if(d===void 0||d.count!==u){d!==void 0&&d.texture.dispose();let e=o.morphAttributes.position!==void 0,n=o.morphAttributes.normal!==void 0,a=o.morphAttributes.color!==void 0,s=o.morphAttributes.position||[],c=o.morphAttributes.normal||[],l=o.morphAttributes.color||[],f=0;e===!0&&(f=1),n===!0&&(f=2),a===!0&&(f=3);let p=o.attributes.position.count*f,m=1;p>t.maxTextureSize&&(m=Math.ceil(p/t.maxTextureSize),p=t.maxTextureSize);let h=new Float32Array(p*m*4*u),g=new jf(h,p,m,u);g.type=cu,g.needsUpdate=!0;let _=f*4;for(let t=0;t<u;t++){let r=s[t],o=c[t],u=l[t],d=p*m*4*t;for(let t=0;t<r.count;t++){let s=t*_;e===!0&&(i.fromBufferAttribute(r,t),h[d+s+0]=i.x,h[d+s+1]=i.y,h[d+s+2]=i.z,h[d+s+3]=0),n===!0&&(i.fromBufferAttribute(o,t),h[d+s+4]=i.x,h[d+s+5]=i.y,h[d+s+6]=i.z,h[d+s+7]=0),a===!0&&(i.fromBufferAttribute(u,t),h[d+s+8]=i.x,h[d+s+9]=i.y,h[d+s+10]=i.z,h[d+s+11]=u.itemSize===4?i.w:1)}}d={count:u,texture:g,size:new X(p,m)},r.set(o,d);function v(){g.dispose(),r.delete(o),o.removeEventListener(`dispose`,v)}o.addEventListener(`dispose`,v)}if(a.isInstancedMesh===!0&&a.morphTexture!==null)s.getUniforms().setValue(e,`morphTexture`,a.morphTexture,n);else{let t=0;for(let e=0;e<c.length;e++)t+=c[e];let n=o.morphTargetsRelative?1:1-t;s.getUniforms().setValue(e,`morphTargetBaseInfluence`,n),s.getUniforms().setValue(e,`morphTargetInfluences`,c)}s.getUniforms().setValue(e,`morphTargetsTexture`,d.texture,n),s.getUniforms().setValue(e,`morphTargetsTextureSize`,d.size)}return{update:a}}function sy(e,t,n,r,i){let a=new WeakMap;function o(r){let o=i.render.frame,s=r.geometry,l=t.get(r,s);if(a.get(l)!==o&&(t.update(l),a.set(l,o)),r.isInstancedMesh&&(r.hasEventListener(`dispose`,c)===!1&&r.addEventListener(`dispose`,c),a.get(r)!==o&&(n.update(r.instanceMatrix,e.ARRAY_BUFFER),r.instanceColor!==null&&n.update(r.instanceColor,e.ARRAY_BUFFER),a.set(r,o))),r.isSkinnedMesh){let e=r.skeleton;a.get(e)!==o&&(e.update(),a.set(e,o))}return l}function s(){a=new WeakMap}function c(e){let t=e.target;t.removeEventListener(`dispose`,c),r.releaseStatesOfObject(t),n.remove(t.instanceMatrix),t.instanceColor!==null&&n.remove(t.instanceColor)}return{update:o,dispose:s}}var cy={1:`LINEAR_TONE_MAPPING`,2:`REINHARD_TONE_MAPPING`,3:`CINEON_TONE_MAPPING`,4:`ACES_FILMIC_TONE_MAPPING`,6:`AGX_TONE_MAPPING`,7:`NEUTRAL_TONE_MAPPING`,5:`CUSTOM_TONE_MAPPING`};function ly(e,t,n,r,i,a){let o=new Af(t,n,{type:e,depthBuffer:i,stencilBuffer:a,samples:r?4:0,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,resolveDepthBuffer:!1,resolveStencilBuffer:!1}),s=null,c=null,l=null,u=new um;u.setAttribute(`position`,new Qp([-1,3,0,-1,-1,0,3,-1,0],3)),u.setAttribute(`uv`,new Qp([0,2,0,0,2,0],2));let d=new n_({uniforms:{tDiffuse:{value:null}},vertexShader:`
			precision highp float;

			uniform mat4 modelViewMatrix;
			uniform mat4 projectionMatrix;

			attribute vec3 position;
			attribute vec2 uv;

			varying vec2 vUv;

			void main() {
				vUv = uv;
				gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
			}`,fragmentShader:`
			precision highp float;

			uniform sampler2D tDiffuse;

			varying vec2 vUv;

			#include <tonemapping_pars_fragment>
			#include <colorspace_pars_fragment>

			void main() {
				gl_FragColor = texture2D( tDiffuse, vUv );

				#ifdef LINEAR_TONE_MAPPING
					gl_FragColor.rgb = LinearToneMapping( gl_FragColor.rgb );
				#elif defined( REINHARD_TONE_MAPPING )
					gl_FragColor.rgb = ReinhardToneMapping( gl_FragColor.rgb );
				#elif defined( CINEON_TONE_MAPPING )
					gl_FragColor.rgb = CineonToneMapping( gl_FragColor.rgb );
				#elif defined( ACES_FILMIC_TONE_MAPPING )
					gl_FragColor.rgb = ACESFilmicToneMapping( gl_FragColor.rgb );
				#elif defined( AGX_TONE_MAPPING )
					gl_FragColor.rgb = AgXToneMapping( gl_FragColor.rgb );
				#elif defined( NEUTRAL_TONE_MAPPING )
					gl_FragColor.rgb = NeutralToneMapping( gl_FragColor.rgb );
				#elif defined( CUSTOM_TONE_MAPPING )
					gl_FragColor.rgb = CustomToneMapping( gl_FragColor.rgb );
				#endif

				#ifdef SRGB_TRANSFER
					gl_FragColor = sRGBTransferOETF( gl_FragColor );
				#endif
			}`,depthTest:!1,depthWrite:!1}),f=new Rm(u,d),p=new V_(-1,1,1,-1,0,1),m=null,h=null,g=!1,_,v=null,y=[],b=!1;this.setSize=function(e,t){o.setSize(e,t),s!==null&&s.setSize(e,t),c!==null&&c.setSize(e,t);for(let n=0;n<y.length;n++){let r=y[n];r.setSize&&r.setSize(e,t)}},this.setEffects=function(e){y=e,b=y.length>0&&y[0].isRenderPass===!0;let t=o.width,n=o.height;y.length>0&&s===null&&(s=new Af(t,n,{type:lu,depthBuffer:!1,stencilBuffer:!1}),c=new Af(t,n,{type:lu,depthBuffer:!1,stencilBuffer:!1}));let r=i===!0&&y.some(e=>e.needsDepthTexture===!0);r!==(o.depthTexture!==null)&&(r===!0&&l===null&&(l=new hh(t,n),a===!0&&(l.format=yu,l.type=fu)),o.dispose(),o.depthTexture=r?l:null,o.resolveDepthBuffer=r,o.storeMultisampledDepthBuffer=r);for(let e=0;e<y.length;e++){let i=y[e];i.setSize&&i.setSize(t,n),r&&i.needsDepthTexture===!0&&i.setDepthTexture&&i.setDepthTexture(l)}},this.begin=function(e,t){if(g||e.toneMapping===0&&y.length===0)return!1;if(v=t,t!==null){let e=t.width,n=t.height;(o.width!==e||o.height!==n)&&this.setSize(e,n)}return b===!1&&e.setRenderTarget(o),_=e.toneMapping,e.toneMapping=0,!0},this.hasRenderPass=function(){return b},this.end=function(e,t){e.toneMapping=_,g=!0;let n=o,r=s;for(let i=0;i<y.length;i++){let a=y[i];a.enabled!==!1&&(a.render(e,r,n,t),a.needsSwap!==!1&&(n=r,r=r===s?c:s))}if(m!==e.outputColorSpace||h!==e.toneMapping){m=e.outputColorSpace,h=e.toneMapping,d.defines={},_f.getTransfer(m)===`srgb`&&(d.defines.SRGB_TRANSFER=``);let t=cy[h];t&&(d.defines[t]=``),d.needsUpdate=!0}d.uniforms.tDiffuse.value=n.texture,e.setRenderTarget(v),e.render(f,p),v=null,g=!1},this.isCompositing=function(){return g},this.dispose=function(){o.dispose(),s!==null&&s.dispose(),c!==null&&c.dispose(),u.dispose(),d.dispose()}}var uy=new Df,dy=new hh(1,1),fy=new gh(1),py=new jf,my=new Mf,hy=new mh,gy=[],_y=[],vy=new Float32Array(16),yy=new Float32Array(9),by=new Float32Array(4);function xy(e,t,n){let r=e[0];if(r<=0||r>0)return e;let i=t*n,a=gy[i];if(a===void 0&&(a=new Float32Array(i),gy[i]=a),t!==0){r.toArray(a,0);for(let r=1,i=0;r!==t;++r)i+=n,e[r].toArray(a,i)}return a}function Sy(e,t){if(e.length!==t.length)return!1;for(let n=0,r=e.length;n<r;n++)if(e[n]!==t[n])return!1;return!0}function Cy(e,t){for(let n=0,r=t.length;n<r;n++)e[n]=t[n]}function wy(e,t){let n=_y[t];n===void 0&&(n=new Int32Array(t),_y[t]=n);for(let r=0;r!==t;++r)n[r]=e.allocateTextureUnit();return n}function Ty(e,t){let n=this.cache;n[0]!==t&&(e.uniform1f(this.addr,t),n[0]=t)}function Ey(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y)&&(e.uniform2f(this.addr,t.x,t.y),n[0]=t.x,n[1]=t.y);else{if(Sy(n,t))return;e.uniform2fv(this.addr,t),Cy(n,t)}}function Dy(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z)&&(e.uniform3f(this.addr,t.x,t.y,t.z),n[0]=t.x,n[1]=t.y,n[2]=t.z);else if(t.r!==void 0)(n[0]!==t.r||n[1]!==t.g||n[2]!==t.b)&&(e.uniform3f(this.addr,t.r,t.g,t.b),n[0]=t.r,n[1]=t.g,n[2]=t.b);else{if(Sy(n,t))return;e.uniform3fv(this.addr,t),Cy(n,t)}}function Oy(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z||n[3]!==t.w)&&(e.uniform4f(this.addr,t.x,t.y,t.z,t.w),n[0]=t.x,n[1]=t.y,n[2]=t.z,n[3]=t.w);else{if(Sy(n,t))return;e.uniform4fv(this.addr,t),Cy(n,t)}}function ky(e,t){let n=this.cache,r=t.elements;if(r===void 0){if(Sy(n,t))return;e.uniformMatrix2fv(this.addr,!1,t),Cy(n,t)}else{if(Sy(n,r))return;by.set(r),e.uniformMatrix2fv(this.addr,!1,by),Cy(n,r)}}function Ay(e,t){let n=this.cache,r=t.elements;if(r===void 0){if(Sy(n,t))return;e.uniformMatrix3fv(this.addr,!1,t),Cy(n,t)}else{if(Sy(n,r))return;yy.set(r),e.uniformMatrix3fv(this.addr,!1,yy),Cy(n,r)}}function jy(e,t){let n=this.cache,r=t.elements;if(r===void 0){if(Sy(n,t))return;e.uniformMatrix4fv(this.addr,!1,t),Cy(n,t)}else{if(Sy(n,r))return;vy.set(r),e.uniformMatrix4fv(this.addr,!1,vy),Cy(n,r)}}function My(e,t){let n=this.cache;n[0]!==t&&(e.uniform1i(this.addr,t),n[0]=t)}function Ny(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y)&&(e.uniform2i(this.addr,t.x,t.y),n[0]=t.x,n[1]=t.y);else{if(Sy(n,t))return;e.uniform2iv(this.addr,t),Cy(n,t)}}function Py(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z)&&(e.uniform3i(this.addr,t.x,t.y,t.z),n[0]=t.x,n[1]=t.y,n[2]=t.z);else{if(Sy(n,t))return;e.uniform3iv(this.addr,t),Cy(n,t)}}function Fy(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z||n[3]!==t.w)&&(e.uniform4i(this.addr,t.x,t.y,t.z,t.w),n[0]=t.x,n[1]=t.y,n[2]=t.z,n[3]=t.w);else{if(Sy(n,t))return;e.uniform4iv(this.addr,t),Cy(n,t)}}function Iy(e,t){let n=this.cache;n[0]!==t&&(e.uniform1ui(this.addr,t),n[0]=t)}function Ly(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y)&&(e.uniform2ui(this.addr,t.x,t.y),n[0]=t.x,n[1]=t.y);else{if(Sy(n,t))return;e.uniform2uiv(this.addr,t),Cy(n,t)}}function Ry(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z)&&(e.uniform3ui(this.addr,t.x,t.y,t.z),n[0]=t.x,n[1]=t.y,n[2]=t.z);else{if(Sy(n,t))return;e.uniform3uiv(this.addr,t),Cy(n,t)}}function zy(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z||n[3]!==t.w)&&(e.uniform4ui(this.addr,t.x,t.y,t.z,t.w),n[0]=t.x,n[1]=t.y,n[2]=t.z,n[3]=t.w);else{if(Sy(n,t))return;e.uniform4uiv(this.addr,t),Cy(n,t)}}function By(e){return e.version===0&&(e.compareFunction=519,e.needsUpdate=!0),e}function Vy(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i);let a;a=this.type===e.SAMPLER_2D_SHADOW?By(dy):uy,n.setTexture2D(t||a,i)}function Hy(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i),n.setTexture3D(t||my,i)}function Uy(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i);let a;a=this.type===e.SAMPLER_CUBE_SHADOW?By(fy):hy,n.setTextureCube(t||a,i)}function Wy(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i),n.setTexture2DArray(t||py,i)}function Gy(e){switch(e){case 5126:return Ty;case 35664:return Ey;case 35665:return Dy;case 35666:return Oy;case 35674:return ky;case 35675:return Ay;case 35676:return jy;case 5124:case 35670:return My;case 35667:case 35671:return Ny;case 35668:case 35672:return Py;case 35669:case 35673:return Fy;case 5125:return Iy;case 36294:return Ly;case 36295:return Ry;case 36296:return zy;case 35678:case 36198:case 36298:case 36306:case 35682:return Vy;case 35679:case 36299:case 36307:return Hy;case 35680:case 36300:case 36308:case 36293:return Uy;case 36289:case 36303:case 36311:case 36292:return Wy}}function Ky(e,t){e.uniform1fv(this.addr,t)}function qy(e,t){let n=xy(t,this.size,2);e.uniform2fv(this.addr,n)}function Jy(e,t){let n=xy(t,this.size,3);e.uniform3fv(this.addr,n)}function Yy(e,t){let n=xy(t,this.size,4);e.uniform4fv(this.addr,n)}function Xy(e,t){let n=xy(t,this.size,4);e.uniformMatrix2fv(this.addr,!1,n)}function Zy(e,t){let n=xy(t,this.size,9);e.uniformMatrix3fv(this.addr,!1,n)}function Qy(e,t){let n=xy(t,this.size,16);e.uniformMatrix4fv(this.addr,!1,n)}function $y(e,t){e.uniform1iv(this.addr,t)}function eb(e,t){e.uniform2iv(this.addr,t)}function tb(e,t){e.uniform3iv(this.addr,t)}function nb(e,t){e.uniform4iv(this.addr,t)}function rb(e,t){e.uniform1uiv(this.addr,t)}function ib(e,t){e.uniform2uiv(this.addr,t)}function ab(e,t){e.uniform3uiv(this.addr,t)}function ob(e,t){e.uniform4uiv(this.addr,t)}function sb(e,t,n){let r=this.cache,i=t.length,a=wy(n,i);Sy(r,a)||(e.uniform1iv(this.addr,a),Cy(r,a));let o;o=this.type===e.SAMPLER_2D_SHADOW?By(dy):uy;for(let e=0;e!==i;++e)n.setTexture2D(t[e]||o,a[e])}function cb(e,t,n){let r=this.cache,i=t.length,a=wy(n,i);Sy(r,a)||(e.uniform1iv(this.addr,a),Cy(r,a));for(let e=0;e!==i;++e)n.setTexture3D(t[e]||my,a[e])}function lb(e,t,n){let r=this.cache,i=t.length,a=wy(n,i);Sy(r,a)||(e.uniform1iv(this.addr,a),Cy(r,a));let o;o=this.type===e.SAMPLER_CUBE_SHADOW?By(fy):hy;for(let e=0;e!==i;++e)n.setTextureCube(t[e]||o,a[e])}function ub(e,t,n){let r=this.cache,i=t.length,a=wy(n,i);Sy(r,a)||(e.uniform1iv(this.addr,a),Cy(r,a));for(let e=0;e!==i;++e)n.setTexture2DArray(t[e]||py,a[e])}function db(e){switch(e){case 5126:return Ky;case 35664:return qy;case 35665:return Jy;case 35666:return Yy;case 35674:return Xy;case 35675:return Zy;case 35676:return Qy;case 5124:case 35670:return $y;case 35667:case 35671:return eb;case 35668:case 35672:return tb;case 35669:case 35673:return nb;case 5125:return rb;case 36294:return ib;case 36295:return ab;case 36296:return ob;case 35678:case 36198:case 36298:case 36306:case 35682:return sb;case 35679:case 36299:case 36307:return cb;case 35680:case 36300:case 36308:case 36293:return lb;case 36289:case 36303:case 36311:case 36292:return ub}}var fb=class{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.setValue=Gy(t.type)}},pb=class{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.size=t.size,this.setValue=db(t.type)}},mb=class{constructor(e){this.id=e,this.seq=[],this.map={}}setValue(e,t,n){let r=this.seq;for(let i=0,a=r.length;i!==a;++i){let a=r[i];a.setValue(e,t[a.id],n)}}},hb=/(\w+)(\])?(\[|\.)?/g;function gb(e,t){e.seq.push(t),e.map[t.id]=t}function _b(e,t,n){let r=e.name,i=r.length;for(hb.lastIndex=0;;){let a=hb.exec(r),o=hb.lastIndex,s=a[1],c=a[2]===`]`,l=a[3];if(c&&(s|=0),l===void 0||l===`[`&&o+2===i){gb(n,l===void 0?new fb(s,e,t):new pb(s,e,t));break}{let e=n.map[s];e===void 0&&(e=new mb(s),gb(n,e)),n=e}}}var vb=class{constructor(e,t){this.seq=[],this.map={};let n=e.getProgramParameter(t,e.ACTIVE_UNIFORMS);for(let r=0;r<n;++r){let n=e.getActiveUniform(t,r);_b(n,e.getUniformLocation(t,n.name),this)}let r=[],i=[];for(let t of this.seq)t.type===e.SAMPLER_2D_SHADOW||t.type===e.SAMPLER_CUBE_SHADOW||t.type===e.SAMPLER_2D_ARRAY_SHADOW?r.push(t):i.push(t);r.length>0&&(this.seq=r.concat(i))}setValue(e,t,n,r){let i=this.map[t];i!==void 0&&i.setValue(e,n,r)}setOptional(e,t,n){let r=t[n];r!==void 0&&this.setValue(e,n,r)}static upload(e,t,n,r){for(let i=0,a=t.length;i!==a;++i){let a=t[i],o=n[a.id];o.needsUpdate!==!1&&a.setValue(e,o.value,r)}}static seqWithValue(e,t){let n=[];for(let r=0,i=e.length;r!==i;++r){let i=e[r];i.id in t&&n.push(i)}return n}};function yb(e,t,n){let r=e.createShader(t);return e.shaderSource(r,n),e.compileShader(r),r}var bb=37297,xb=0;function Sb(e,t){let n=e.split(`
`),r=[],i=Math.max(t-6,0),a=Math.min(t+6,n.length);for(let e=i;e<a;e++){let i=e+1;r.push(`${i===t?`>`:` `} ${i}: ${n[e]}`)}return r.join(`
`)}var Cb=new ff;function wb(e){_f._getMatrix(Cb,_f.workingColorSpace,e);let t=`mat3( ${Cb.elements.map(e=>e.toFixed(4))} )`;switch(_f.getTransfer(e)){case _d:return[t,`LinearTransferOETF`];case vd:return[t,`sRGBTransferOETF`];default:return Y(`WebGLProgram: Unsupported color space: `,e),[t,`LinearTransferOETF`]}}function Tb(e,t,n){let r=e.getShaderParameter(t,e.COMPILE_STATUS),i=(e.getShaderInfoLog(t)||``).trim();if(r&&i===``)return``;let a=/ERROR: 0:(\d+)/.exec(i);if(a){let r=parseInt(a[1]);return n.toUpperCase()+`

`+i+`

`+Sb(e.getShaderSource(t),r)}return i}function Eb(e,t){let n=wb(t);return[`vec4 ${e}( vec4 value ) {`,`	return ${n[1]}( vec4( ${n[0]} * value.rgb, value.a ) );`,`}`].join(`
`)}var Db={1:`Linear`,2:`Reinhard`,3:`Cineon`,4:`ACESFilmic`,6:`AgX`,7:`Neutral`,5:`Custom`};function Ob(e,t){let n=Db[t];return n===void 0?(Y(`WebGLProgram: Unsupported toneMapping:`,t),`vec3 `+e+`( vec3 color ) { return LinearToneMapping( color ); }`):`vec3 `+e+`( vec3 color ) { return `+n+`ToneMapping( color ); }`}var kb=new Z;function Ab(){return _f.getLuminanceCoefficients(kb),[`float luminance( const in vec3 rgb ) {`,`	const vec3 weights = vec3( ${kb.x.toFixed(4)}, ${kb.y.toFixed(4)}, ${kb.z.toFixed(4)} );`,`	return dot( weights, rgb );`,`}`].join(`
`)}function jb(e){return[e.extensionClipCullDistance?`#extension GL_ANGLE_clip_cull_distance : require`:``,e.extensionMultiDraw?`#extension GL_ANGLE_multi_draw : require`:``].filter(Pb).join(`
`)}function Mb(e){let t=[];for(let n in e){let r=e[n];r!==!1&&t.push(`#define `+n+` `+r)}return t.join(`
`)}function Nb(e,t){let n={},r=e.getProgramParameter(t,e.ACTIVE_ATTRIBUTES);for(let i=0;i<r;i++){let r=e.getActiveAttrib(t,i),a=r.name,o=1;r.type===e.FLOAT_MAT2&&(o=2),r.type===e.FLOAT_MAT3&&(o=3),r.type===e.FLOAT_MAT4&&(o=4),n[a]={type:r.type,location:e.getAttribLocation(t,a),locationSize:o}}return n}function Pb(e){return e!==``}function Fb(e,t){let n=t.numSpotLightShadows+t.numSpotLightMaps-t.numSpotLightShadowsWithMaps;return e.replace(/NUM_SUN_LIGHTS/g,t.numSunLights).replace(/NUM_DIR_LIGHTS/g,t.numDirLights).replace(/NUM_SPOT_LIGHTS/g,t.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,t.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,n).replace(/NUM_RECT_AREA_LIGHTS/g,t.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,t.numPointLights).replace(/NUM_HEMI_LIGHTS/g,t.numHemiLights).replace(/NUM_SUN_LIGHT_SHADOWS/g,t.numSunLightShadows).replace(/NUM_DIR_LIGHT_SHADOWS/g,t.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,t.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,t.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,t.numPointLightShadows).replace(/NUM_LIGHT_PROBE_GRIDS/g,t.numLightProbeGrids)}function Ib(e,t){return e.replace(/NUM_CLIPPING_PLANES/g,t.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,t.numClippingPlanes-t.numClipIntersection)}var Lb=/^[ \t]*#include +<([\w\d./]+)>/gm;function Rb(e){return e.replace(Lb,zb)}function zb(e,t){let n=Ov[t];if(n===void 0)throw Error(`THREE.WebGLProgram: Can not resolve #include <`+t+`>`);return Rb(n)}var Bb=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function Vb(e){return e.replace(Bb,Hb)}function Hb(e,t,n,r){let i=``;for(let e=parseInt(t);e<parseInt(n);e++)i+=r.replace(/\[\s*i\s*\]/g,`[ `+e+` ]`).replace(/UNROLLED_LOOP_INDEX/g,e);return i}function Ub(e){let t=`precision ${e.precision} float;
	precision ${e.precision} int;
	precision ${e.precision} sampler2D;
	precision ${e.precision} samplerCube;
	precision ${e.precision} sampler3D;
	precision ${e.precision} sampler2DArray;
	precision ${e.precision} sampler2DShadow;
	precision ${e.precision} samplerCubeShadow;
	precision ${e.precision} sampler2DArrayShadow;
	precision ${e.precision} isampler2D;
	precision ${e.precision} isampler3D;
	precision ${e.precision} isamplerCube;
	precision ${e.precision} isampler2DArray;
	precision ${e.precision} usampler2D;
	precision ${e.precision} usampler3D;
	precision ${e.precision} usamplerCube;
	precision ${e.precision} usampler2DArray;
	`;return e.precision===`highp`?t+=`
#define HIGH_PRECISION`:e.precision===`mediump`?t+=`
#define MEDIUM_PRECISION`:e.precision===`lowp`&&(t+=`
#define LOW_PRECISION`),t}var Wb={1:`SHADOWMAP_TYPE_PCF`,3:`SHADOWMAP_TYPE_VSM`};function Gb(e){return Wb[e.shadowMapType]||`SHADOWMAP_TYPE_BASIC`}var Kb={302:`ENVMAP_MODE_REFRACTION`};function qb(e){return e.envMap===!1?`ENVMAP_MODE_REFLECTION`:Kb[e.envMapMode]||`ENVMAP_MODE_REFLECTION`}var Jb={0:`ENVMAP_BLENDING_MULTIPLY`,1:`ENVMAP_BLENDING_MIX`,2:`ENVMAP_BLENDING_ADD`};function Yb(e){return e.envMap===!1?`ENVMAP_BLENDING_NONE`:Jb[e.combine]||`ENVMAP_BLENDING_NONE`}function Xb(e,t,n,r){let i=e.getContext(),a=n.defines,o=n.vertexShader,s=n.fragmentShader,c=Gb(n),l=n.envMapPMREM===!0?`ENVMAP_TYPE_PMREM`:`ENVMAP_TYPE_CUBE`,u=qb(n),d=Yb(n),f=jb(n),p=Mb(a),m=i.createProgram(),h,g,_=n.glslVersion?`#version `+n.glslVersion+`
`:``;n.isRawShaderMaterial?(h=[`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p].filter(Pb).join(`
`),h.length>0&&(h+=`
`),g=[`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p].filter(Pb).join(`
`),g.length>0&&(g+=`
`)):(h=[Ub(n),`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p,n.extensionClipCullDistance?`#define USE_CLIP_DISTANCE`:``,n.batching?`#define USE_BATCHING`:``,n.batchingColor?`#define USE_BATCHING_COLOR`:``,n.instancing?`#define USE_INSTANCING`:``,n.instancingColor?`#define USE_INSTANCING_COLOR`:``,n.instancingMorph?`#define USE_INSTANCING_MORPH`:``,n.useFog&&n.fog?`#define USE_FOG`:``,n.useFog&&n.fogExp2?`#define FOG_EXP2`:``,n.map?`#define USE_MAP`:``,n.envMap?`#define USE_ENVMAP`:``,n.envMap?`#define `+u:``,n.lightMap?`#define USE_LIGHTMAP`:``,n.aoMap?`#define USE_AOMAP`:``,n.bumpMap?`#define USE_BUMPMAP`:``,n.normalMap?`#define USE_NORMALMAP`:``,n.normalMapObjectSpace?`#define USE_NORMALMAP_OBJECTSPACE`:``,n.normalMapTangentSpace?`#define USE_NORMALMAP_TANGENTSPACE`:``,n.displacementMap?`#define USE_DISPLACEMENTMAP`:``,n.emissiveMap?`#define USE_EMISSIVEMAP`:``,n.anisotropy?`#define USE_ANISOTROPY`:``,n.anisotropyMap?`#define USE_ANISOTROPYMAP`:``,n.clearcoatMap?`#define USE_CLEARCOATMAP`:``,n.clearcoatRoughnessMap?`#define USE_CLEARCOAT_ROUGHNESSMAP`:``,n.clearcoatNormalMap?`#define USE_CLEARCOAT_NORMALMAP`:``,n.diffuseRoughnessMap?`#define USE_DIFFUSE_ROUGHNESSMAP`:``,n.iridescenceMap?`#define USE_IRIDESCENCEMAP`:``,n.iridescenceThicknessMap?`#define USE_IRIDESCENCE_THICKNESSMAP`:``,n.specularMap?`#define USE_SPECULARMAP`:``,n.specularColorMap?`#define USE_SPECULAR_COLORMAP`:``,n.specularIntensityMap?`#define USE_SPECULAR_INTENSITYMAP`:``,n.roughnessMap?`#define USE_ROUGHNESSMAP`:``,n.metalnessMap?`#define USE_METALNESSMAP`:``,n.alphaMap?`#define USE_ALPHAMAP`:``,n.alphaHash?`#define USE_ALPHAHASH`:``,n.transmission?`#define USE_TRANSMISSION`:``,n.transmissionMap?`#define USE_TRANSMISSIONMAP`:``,n.thicknessMap?`#define USE_THICKNESSMAP`:``,n.sheenColorMap?`#define USE_SHEEN_COLORMAP`:``,n.sheenRoughnessMap?`#define USE_SHEEN_ROUGHNESSMAP`:``,n.mapUv?`#define MAP_UV `+n.mapUv:``,n.alphaMapUv?`#define ALPHAMAP_UV `+n.alphaMapUv:``,n.lightMapUv?`#define LIGHTMAP_UV `+n.lightMapUv:``,n.aoMapUv?`#define AOMAP_UV `+n.aoMapUv:``,n.emissiveMapUv?`#define EMISSIVEMAP_UV `+n.emissiveMapUv:``,n.bumpMapUv?`#define BUMPMAP_UV `+n.bumpMapUv:``,n.normalMapUv?`#define NORMALMAP_UV `+n.normalMapUv:``,n.displacementMapUv?`#define DISPLACEMENTMAP_UV `+n.displacementMapUv:``,n.metalnessMapUv?`#define METALNESSMAP_UV `+n.metalnessMapUv:``,n.roughnessMapUv?`#define ROUGHNESSMAP_UV `+n.roughnessMapUv:``,n.anisotropyMapUv?`#define ANISOTROPYMAP_UV `+n.anisotropyMapUv:``,n.clearcoatMapUv?`#define CLEARCOATMAP_UV `+n.clearcoatMapUv:``,n.clearcoatNormalMapUv?`#define CLEARCOAT_NORMALMAP_UV `+n.clearcoatNormalMapUv:``,n.clearcoatRoughnessMapUv?`#define CLEARCOAT_ROUGHNESSMAP_UV `+n.clearcoatRoughnessMapUv:``,n.diffuseRoughnessMapUv?`#define DIFFUSE_ROUGHNESSMAP_UV `+n.diffuseRoughnessMapUv:``,n.iridescenceMapUv?`#define IRIDESCENCEMAP_UV `+n.iridescenceMapUv:``,n.iridescenceThicknessMapUv?`#define IRIDESCENCE_THICKNESSMAP_UV `+n.iridescenceThicknessMapUv:``,n.sheenColorMapUv?`#define SHEEN_COLORMAP_UV `+n.sheenColorMapUv:``,n.sheenRoughnessMapUv?`#define SHEEN_ROUGHNESSMAP_UV `+n.sheenRoughnessMapUv:``,n.specularMapUv?`#define SPECULARMAP_UV `+n.specularMapUv:``,n.specularColorMapUv?`#define SPECULAR_COLORMAP_UV `+n.specularColorMapUv:``,n.specularIntensityMapUv?`#define SPECULAR_INTENSITYMAP_UV `+n.specularIntensityMapUv:``,n.transmissionMapUv?`#define TRANSMISSIONMAP_UV `+n.transmissionMapUv:``,n.thicknessMapUv?`#define THICKNESSMAP_UV `+n.thicknessMapUv:``,n.vertexTangents&&n.flatShading===!1?`#define USE_TANGENT`:``,n.vertexNormals?`#define HAS_NORMAL`:``,n.vertexColors?`#define USE_COLOR`:``,n.vertexAlphas?`#define USE_COLOR_ALPHA`:``,n.vertexUv1s?`#define USE_UV1`:``,n.vertexUv2s?`#define USE_UV2`:``,n.vertexUv3s?`#define USE_UV3`:``,n.pointsUvs?`#define USE_POINTS_UV`:``,n.flatShading?`#define FLAT_SHADED`:``,n.skinning?`#define USE_SKINNING`:``,n.morphTargets?`#define USE_MORPHTARGETS`:``,n.morphNormals&&n.flatShading===!1?`#define USE_MORPHNORMALS`:``,n.morphColors?`#define USE_MORPHCOLORS`:``,n.morphTargetsCount>0?`#define MORPHTARGETS_TEXTURE_STRIDE `+n.morphTextureStride:``,n.morphTargetsCount>0?`#define MORPHTARGETS_COUNT `+n.morphTargetsCount:``,n.doubleSided?`#define DOUBLE_SIDED`:``,n.flipSided?`#define FLIP_SIDED`:``,n.shadowMapEnabled?`#define USE_SHADOWMAP`:``,n.shadowMapEnabled?`#define `+c:``,n.sizeAttenuation?`#define USE_SIZEATTENUATION`:``,n.numLightProbes>0?`#define USE_LIGHT_PROBES`:``,n.logarithmicDepthBuffer?`#define USE_LOGARITHMIC_DEPTH_BUFFER`:``,n.reversedDepthBuffer?`#define USE_REVERSED_DEPTH_BUFFER`:``,`uniform mat4 modelMatrix;`,`uniform mat4 modelViewMatrix;`,`uniform mat4 projectionMatrix;`,`uniform mat4 viewMatrix;`,`uniform mat3 normalMatrix;`,`uniform vec3 cameraPosition;`,`uniform bool isOrthographic;`,`#ifdef USE_INSTANCING`,`	attribute mat4 instanceMatrix;`,`#endif`,`#ifdef USE_INSTANCING_COLOR`,`	attribute vec3 instanceColor;`,`#endif`,`#ifdef USE_INSTANCING_MORPH`,`	uniform sampler2D morphTexture;`,`#endif`,`attribute vec3 position;`,`attribute vec3 normal;`,`attribute vec2 uv;`,`#ifdef USE_UV1`,`	attribute vec2 uv1;`,`#endif`,`#ifdef USE_UV2`,`	attribute vec2 uv2;`,`#endif`,`#ifdef USE_UV3`,`	attribute vec2 uv3;`,`#endif`,`#ifdef USE_TANGENT`,`	attribute vec4 tangent;`,`#endif`,`#if defined( USE_COLOR_ALPHA )`,`	attribute vec4 color;`,`#elif defined( USE_COLOR )`,`	attribute vec3 color;`,`#endif`,`#ifdef USE_SKINNING`,`	attribute vec4 skinIndex;`,`	attribute vec4 skinWeight;`,`#endif`,`
`].filter(Pb).join(`
`),g=[Ub(n),`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p,n.useFog&&n.fog?`#define USE_FOG`:``,n.useFog&&n.fogExp2?`#define FOG_EXP2`:``,n.alphaToCoverage?`#define ALPHA_TO_COVERAGE`:``,n.map?`#define USE_MAP`:``,n.matcap?`#define USE_MATCAP`:``,n.envMap?`#define USE_ENVMAP`:``,n.envMap?`#define `+l:``,n.envMap?`#define `+u:``,n.envMap?`#define `+d:``,n.envMapPMREM?`#define ENVMAP_MAX_LOD `+n.envMapMaxLod+`.0`:``,n.envMapPMREM?`#define ENVMAP_SIZE `+n.envMapSize+`.0`:``,n.lightMap?`#define USE_LIGHTMAP`:``,n.aoMap?`#define USE_AOMAP`:``,n.bumpMap?`#define USE_BUMPMAP`:``,n.normalMap?`#define USE_NORMALMAP`:``,n.normalMapObjectSpace?`#define USE_NORMALMAP_OBJECTSPACE`:``,n.normalMapTangentSpace?`#define USE_NORMALMAP_TANGENTSPACE`:``,n.packedNormalMap?`#define USE_PACKED_NORMALMAP`:``,n.emissiveMap?`#define USE_EMISSIVEMAP`:``,n.anisotropy?`#define USE_ANISOTROPY`:``,n.anisotropyMap?`#define USE_ANISOTROPYMAP`:``,n.clearcoat?`#define USE_CLEARCOAT`:``,n.clearcoatMap?`#define USE_CLEARCOATMAP`:``,n.clearcoatRoughnessMap?`#define USE_CLEARCOAT_ROUGHNESSMAP`:``,n.clearcoatNormalMap?`#define USE_CLEARCOAT_NORMALMAP`:``,n.diffuseRoughness?`#define USE_DIFFUSE_ROUGHNESS`:``,n.diffuseRoughnessMap?`#define USE_DIFFUSE_ROUGHNESSMAP`:``,n.dispersion?`#define USE_DISPERSION`:``,n.retroreflection?`#define USE_RETROREFLECTION`:``,n.iridescence?`#define USE_IRIDESCENCE`:``,n.iridescenceMap?`#define USE_IRIDESCENCEMAP`:``,n.iridescenceThicknessMap?`#define USE_IRIDESCENCE_THICKNESSMAP`:``,n.specularMap?`#define USE_SPECULARMAP`:``,n.specularColorMap?`#define USE_SPECULAR_COLORMAP`:``,n.specularIntensityMap?`#define USE_SPECULAR_INTENSITYMAP`:``,n.roughnessMap?`#define USE_ROUGHNESSMAP`:``,n.metalnessMap?`#define USE_METALNESSMAP`:``,n.alphaMap?`#define USE_ALPHAMAP`:``,n.alphaTest?`#define USE_ALPHATEST`:``,n.alphaHash?`#define USE_ALPHAHASH`:``,n.sheen?`#define USE_SHEEN`:``,n.sheenColorMap?`#define USE_SHEEN_COLORMAP`:``,n.sheenRoughnessMap?`#define USE_SHEEN_ROUGHNESSMAP`:``,n.transmission?`#define USE_TRANSMISSION`:``,n.transmissionMap?`#define USE_TRANSMISSIONMAP`:``,n.thicknessMap?`#define USE_THICKNESSMAP`:``,n.vertexTangents&&n.flatShading===!1?`#define USE_TANGENT`:``,n.vertexColors||n.instancingColor?`#define USE_COLOR`:``,n.vertexAlphas||n.batchingColor?`#define USE_COLOR_ALPHA`:``,n.vertexUv1s?`#define USE_UV1`:``,n.vertexUv2s?`#define USE_UV2`:``,n.vertexUv3s?`#define USE_UV3`:``,n.pointsUvs?`#define USE_POINTS_UV`:``,n.gradientMap?`#define USE_GRADIENTMAP`:``,n.flatShading?`#define FLAT_SHADED`:``,n.doubleSided?`#define DOUBLE_SIDED`:``,n.flipSided?`#define FLIP_SIDED`:``,n.shadowMapEnabled?`#define USE_SHADOWMAP`:``,n.shadowMapEnabled?`#define `+c:``,n.premultipliedAlpha?`#define PREMULTIPLIED_ALPHA`:``,n.numLightProbes>0?`#define USE_LIGHT_PROBES`:``,n.decodeVideoTexture?`#define DECODE_VIDEO_TEXTURE`:``,n.decodeVideoTextureEmissive?`#define DECODE_VIDEO_TEXTURE_EMISSIVE`:``,n.logarithmicDepthBuffer?`#define USE_LOGARITHMIC_DEPTH_BUFFER`:``,n.reversedDepthBuffer?`#define USE_REVERSED_DEPTH_BUFFER`:``,`uniform mat4 viewMatrix;`,`uniform vec3 cameraPosition;`,`uniform bool isOrthographic;`,n.toneMapping===0?``:`#define TONE_MAPPING`,n.toneMapping===0?``:Ov.tonemapping_pars_fragment,n.toneMapping===0?``:Ob(`toneMapping`,n.toneMapping),n.dithering?`#define DITHERING`:``,n.opaque?`#define OPAQUE`:``,Ov.colorspace_pars_fragment,Eb(`linearToOutputTexel`,n.outputColorSpace),Ab(),n.useDepthPacking?`#define DEPTH_PACKING `+n.depthPacking:``,`
`].filter(Pb).join(`
`)),o=Rb(o),o=Fb(o,n),o=Ib(o,n),s=Rb(s),s=Fb(s,n),s=Ib(s,n),o=Vb(o),s=Vb(s),n.isRawShaderMaterial!==!0&&(_=`#version 300 es
`,h=[f,`#define attribute in`,`#define varying out`,`#define texture2D texture`].join(`
`)+`
`+h,g=[`#define varying in`,n.glslVersion===`300 es`?``:`layout(location = 0) out highp vec4 pc_fragColor;`,n.glslVersion===`300 es`?``:`#define gl_FragColor pc_fragColor`,`#define gl_FragDepthEXT gl_FragDepth`,`#define texture2D texture`,`#define textureCube texture`,`#define texture2DProj textureProj`,`#define texture2DLodEXT textureLod`,`#define texture2DProjLodEXT textureProjLod`,`#define textureCubeLodEXT textureLod`,`#define texture2DGradEXT textureGrad`,`#define texture2DProjGradEXT textureProjGrad`,`#define textureCubeGradEXT textureGrad`].join(`
`)+`
`+g);let v=_+h+o,y=_+g+s,b=yb(i,i.VERTEX_SHADER,v),x=yb(i,i.FRAGMENT_SHADER,y);i.attachShader(m,b),i.attachShader(m,x),n.index0AttributeName===void 0?n.hasPositionAttribute===!0&&i.bindAttribLocation(m,0,`position`):i.bindAttribLocation(m,0,n.index0AttributeName),i.linkProgram(m);function S(t){if(e.debug.checkShaderErrors){let n=i.getProgramInfoLog(m)||``,r=i.getShaderInfoLog(b)||``,a=i.getShaderInfoLog(x)||``,o=n.trim(),s=r.trim(),c=a.trim(),l=!0,u=!0;if(i.getProgramParameter(m,i.LINK_STATUS)===!1){if(l=!1,typeof e.debug.onShaderError==`function`)e.debug.onShaderError(i,m,b,x);else{let e=Tb(i,b,`vertex`),n=Tb(i,x,`fragment`);kd(`WebGLProgram: Shader Error `+i.getError()+` - VALIDATE_STATUS `+i.getProgramParameter(m,i.VALIDATE_STATUS)+`

Material Name: `+t.name+`
Material Type: `+t.type+`

Program Info Log: `+o+`
`+e+`
`+n)}}else o===``?(s===``||c===``)&&(u=!1):Y(`WebGLProgram: Program Info Log:`,o);u&&(t.diagnostics={runnable:l,programLog:o,vertexShader:{log:s,prefix:h},fragmentShader:{log:c,prefix:g}})}i.deleteShader(b),i.deleteShader(x),C=new vb(i,m),w=Nb(i,m)}let C;this.getUniforms=function(){return C===void 0&&S(this),C};let w;this.getAttributes=function(){return w===void 0&&S(this),w};let T=n.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return T===!1&&(T=i.getProgramParameter(m,bb)),T},this.destroy=function(){r.releaseStatesOfProgram(this),i.deleteProgram(m),this.program=void 0},this.type=n.shaderType,this.name=n.shaderName,this.id=xb++,this.cacheKey=t,this.usedTimes=1,this.program=m,this.vertexShader=b,this.fragmentShader=x,this}var Zb=0,Qb=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(e,t,n){let r=this._getShaderCacheForMaterial(e);return r.has(t)===!1&&(r.add(t),t.usedTimes++),r.has(n)===!1&&(r.add(n),n.usedTimes++),this}remove(e){let t=this.materialCache.get(e);for(let e of t)e.usedTimes--,e.usedTimes===0&&this.shaderCache.delete(e.code);return this.materialCache.delete(e),this}getVertexShaderStage(e){return this._getShaderStage(e.vertexShader)}getFragmentShaderStage(e){return this._getShaderStage(e.fragmentShader)}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(e){let t=this.materialCache,n=t.get(e);return n===void 0&&(n=new Set,t.set(e,n)),n}_getShaderStage(e){let t=this.shaderCache,n=t.get(e);return n===void 0&&(n=new $b(e),t.set(e,n)),n}},$b=class{constructor(e){this.id=Zb++,this.code=e,this.usedTimes=0}};function ex(e){return e===1030||e===37490||e===36285}function tx(e,t,n,r,i,a){let o=new Wf,s=new Qb,c=new Set,l=[],u=new Map,d=r.logarithmicDepthBuffer,f={MeshDepthMaterial:`depth`,MeshDistanceMaterial:`distance`,MeshNormalMaterial:`normal`,MeshBasicMaterial:`basic`,MeshLambertMaterial:`lambert`,MeshPhongMaterial:`phong`,MeshToonMaterial:`toon`,MeshStandardMaterial:`physical`,MeshPhysicalMaterial:`physical`,MeshMatcapMaterial:`matcap`,LineBasicMaterial:`basic`,LineDashedMaterial:`dashed`,PointsMaterial:`points`,ShadowMaterial:`shadow`,SpriteMaterial:`sprite`};function p(e){return c.add(e),e===0?`uv`:`uv${e}`}function m(i,o,l,u,m,h){let g=u.fog,_=m.geometry,v=i.isMeshStandardMaterial||i.isMeshLambertMaterial||i.isMeshPhongMaterial?u.environment:null,y=i.isMeshStandardMaterial||i.isMeshLambertMaterial&&!i.envMap||i.isMeshPhongMaterial&&!i.envMap,b=t.get(i.envMap||v,y),x=f[i.type],S=r.precision;i.precision!==null&&(S=r.getMaxPrecision(i.precision),S!==i.precision&&Y(`WebGLProgram.getParameters:`,i.precision,`not supported, using`,S,`instead.`));let C=_.morphAttributes.position||_.morphAttributes.normal||_.morphAttributes.color,w=C===void 0?0:C.length,T=0;_.morphAttributes.position!==void 0&&(T=1),_.morphAttributes.normal!==void 0&&(T=2),_.morphAttributes.color!==void 0&&(T=3);let E,D,O,k;if(x){let e=kv[x];E=e.vertexShader,D=e.fragmentShader}else{E=i.vertexShader,D=i.fragmentShader;let e=s.getVertexShaderStage(i),t=s.getFragmentShaderStage(i);s.update(i,e,t),O=e.id,k=t.id}let A=e.getRenderTarget(),j=e.state.buffers.depth.getReversed(),M=m.isInstancedMesh===!0,N=m.isBatchedMesh===!0,ee=!!i.map,te=!!i.matcap,P=!!b,ne=P&&b.isPMREMTexture===!0,re=!!i.aoMap,F=!!i.lightMap,ie=!!i.bumpMap&&i.wireframe===!1,ae=!!i.normalMap,oe=!!i.displacementMap,I=!!i.emissiveMap,se=!!i.metalnessMap,ce=!!i.roughnessMap,le=i.anisotropy>0,L=i.clearcoat>0,R=i.diffuseRoughness>0,z=i.dispersion>0,ue=i.retroreflectivity>0,de=i.iridescence>0,fe=i.sheen>0,pe=i.transmission>0,me=le&&!!i.anisotropyMap,he=L&&!!i.clearcoatMap,ge=L&&!!i.clearcoatNormalMap,_e=L&&!!i.clearcoatRoughnessMap,ve=R&&!!i.diffuseRoughnessMap,B=de&&!!i.iridescenceMap,V=de&&!!i.iridescenceThicknessMap,H=fe&&!!i.sheenColorMap,U=fe&&!!i.sheenRoughnessMap,W=!!i.specularMap,ye=!!i.specularColorMap,G=!!i.specularIntensityMap,K=pe&&!!i.transmissionMap,be=pe&&!!i.thicknessMap,xe=!!i.gradientMap,Se=!!i.alphaMap,q=i.alphaTest>0,Ce=!!i.alphaHash,we=!!i.extensions,Te=0;i.toneMapped&&(A===null||A.isXRRenderTarget===!0)&&(Te=e.toneMapping);let Ee=ne?b.isCompressedCubeTexture?b.image[0].mipmaps:b.mipmaps:null,De={shaderID:x,shaderType:i.type,shaderName:i.name,vertexShader:E,fragmentShader:D,defines:i.defines,customVertexShaderID:O,customFragmentShaderID:k,isRawShaderMaterial:i.isRawShaderMaterial===!0,glslVersion:i.glslVersion,precision:S,batching:N,batchingColor:N&&m._colorsTexture!==null,instancing:M,instancingColor:M&&m.instanceColor!==null,instancingMorph:M&&m.morphTexture!==null,outputColorSpace:A===null?e.outputColorSpace:A.isXRRenderTarget===!0?A.texture.colorSpace:_f.workingColorSpace,alphaToCoverage:!!i.alphaToCoverage,map:ee,matcap:te,envMap:P,envMapMode:P&&b.mapping,envMapPMREM:ne,envMapMaxLod:ne?Ee.length-1:null,envMapSize:ne?Ee[0].width:null,aoMap:re,lightMap:F,bumpMap:ie,normalMap:ae,displacementMap:oe,emissiveMap:I,normalMapObjectSpace:ae&&i.normalMapType===1,normalMapTangentSpace:ae&&i.normalMapType===0,packedNormalMap:ae&&i.normalMapType===0&&ex(i.normalMap.format),metalnessMap:se,roughnessMap:ce,anisotropy:le,anisotropyMap:me,clearcoat:L,clearcoatMap:he,clearcoatNormalMap:ge,clearcoatRoughnessMap:_e,diffuseRoughness:R,diffuseRoughnessMap:ve,dispersion:z,retroreflection:ue,iridescence:de,iridescenceMap:B,iridescenceThicknessMap:V,sheen:fe,sheenColorMap:H,sheenRoughnessMap:U,specularMap:W,specularColorMap:ye,specularIntensityMap:G,transmission:pe,transmissionMap:K,thicknessMap:be,gradientMap:xe,opaque:i.transparent===!1&&i.blending===1&&i.alphaToCoverage===!1,alphaMap:Se,alphaTest:q,alphaHash:Ce,combine:i.combine,mapUv:ee&&p(i.map.channel),aoMapUv:re&&p(i.aoMap.channel),lightMapUv:F&&p(i.lightMap.channel),bumpMapUv:ie&&p(i.bumpMap.channel),normalMapUv:ae&&p(i.normalMap.channel),displacementMapUv:oe&&p(i.displacementMap.channel),emissiveMapUv:I&&p(i.emissiveMap.channel),metalnessMapUv:se&&p(i.metalnessMap.channel),roughnessMapUv:ce&&p(i.roughnessMap.channel),anisotropyMapUv:me&&p(i.anisotropyMap.channel),clearcoatMapUv:he&&p(i.clearcoatMap.channel),clearcoatNormalMapUv:ge&&p(i.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:_e&&p(i.clearcoatRoughnessMap.channel),diffuseRoughnessMapUv:ve&&p(i.diffuseRoughnessMap.channel),iridescenceMapUv:B&&p(i.iridescenceMap.channel),iridescenceThicknessMapUv:V&&p(i.iridescenceThicknessMap.channel),sheenColorMapUv:H&&p(i.sheenColorMap.channel),sheenRoughnessMapUv:U&&p(i.sheenRoughnessMap.channel),specularMapUv:W&&p(i.specularMap.channel),specularColorMapUv:ye&&p(i.specularColorMap.channel),specularIntensityMapUv:G&&p(i.specularIntensityMap.channel),transmissionMapUv:K&&p(i.transmissionMap.channel),thicknessMapUv:be&&p(i.thicknessMap.channel),alphaMapUv:Se&&p(i.alphaMap.channel),vertexTangents:!!_.attributes.tangent&&(ae||le),vertexNormals:!!_.attributes.normal,vertexColors:i.vertexColors,vertexAlphas:i.vertexColors===!0&&!!_.attributes.color&&_.attributes.color.itemSize===4,pointsUvs:m.isPoints===!0&&!!_.attributes.uv&&(ee||Se),fog:!!g,useFog:i.fog===!0,fogExp2:!!g&&g.isFogExp2,flatShading:i.wireframe===!1&&(i.flatShading===!0||_.attributes.normal===void 0&&ae===!1&&(i.isMeshLambertMaterial||i.isMeshPhongMaterial||i.isMeshStandardMaterial||i.isMeshPhysicalMaterial)),sizeAttenuation:i.sizeAttenuation===!0,logarithmicDepthBuffer:d,reversedDepthBuffer:j,skinning:m.isSkinnedMesh===!0,hasPositionAttribute:_.attributes.position!==void 0,morphTargets:_.morphAttributes.position!==void 0,morphNormals:_.morphAttributes.normal!==void 0,morphColors:_.morphAttributes.color!==void 0,morphTargetsCount:w,morphTextureStride:T,numSunLights:o.sun.length,numDirLights:o.directional.length,numPointLights:o.point.length,numSpotLights:o.spot.length,numSpotLightMaps:o.spotLightMap.length,numRectAreaLights:o.rectArea.length,numHemiLights:o.hemi.length,numSunLightShadows:o.sunShadowMap.length,numDirLightShadows:o.directionalShadowMap.length,numPointLightShadows:o.pointShadowMap.length,numSpotLightShadows:o.spotShadowMap.length,numSpotLightShadowsWithMaps:o.numSpotLightShadowsWithMaps,numLightProbes:o.numLightProbes,numLightProbeGrids:h.filter(e=>e.texture!==null).length,numClippingPlanes:a.numPlanes,numClipIntersection:a.numIntersection,dithering:i.dithering,shadowMapEnabled:e.shadowMap.enabled&&l.length>0,shadowMapType:e.shadowMap.type,toneMapping:Te,decodeVideoTexture:ee&&i.map.isVideoTexture===!0&&_f.getTransfer(i.map.colorSpace)===`srgb`,decodeVideoTextureEmissive:I&&i.emissiveMap.isVideoTexture===!0&&_f.getTransfer(i.emissiveMap.colorSpace)===`srgb`,premultipliedAlpha:i.premultipliedAlpha,doubleSided:i.side===2,flipSided:i.side===1,useDepthPacking:i.depthPacking>=0,depthPacking:i.depthPacking||0,index0AttributeName:i.index0AttributeName,extensionClipCullDistance:we&&i.extensions.clipCullDistance===!0&&n.has(`WEBGL_clip_cull_distance`),extensionMultiDraw:(we&&i.extensions.multiDraw===!0||N)&&n.has(`WEBGL_multi_draw`),rendererExtensionParallelShaderCompile:n.has(`KHR_parallel_shader_compile`),customProgramCacheKey:i.customProgramCacheKey()};return De.vertexUv1s=c.has(1),De.vertexUv2s=c.has(2),De.vertexUv3s=c.has(3),c.clear(),De}function h(t){let n=[];if(t.shaderID?n.push(t.shaderID):(n.push(t.customVertexShaderID),n.push(t.customFragmentShaderID)),t.defines!==void 0)for(let e in t.defines)n.push(e),n.push(t.defines[e]);return t.isRawShaderMaterial===!1&&(g(n,t),_(n,t),n.push(e.outputColorSpace)),n.push(t.customProgramCacheKey),n.join()}function g(e,t){e.push(t.precision),e.push(t.outputColorSpace),e.push(t.envMapMode),e.push(t.envMapPMREM),e.push(t.envMapMaxLod),e.push(t.envMapSize),e.push(t.mapUv),e.push(t.alphaMapUv),e.push(t.lightMapUv),e.push(t.aoMapUv),e.push(t.bumpMapUv),e.push(t.normalMapUv),e.push(t.displacementMapUv),e.push(t.emissiveMapUv),e.push(t.metalnessMapUv),e.push(t.roughnessMapUv),e.push(t.anisotropyMapUv),e.push(t.clearcoatMapUv),e.push(t.clearcoatNormalMapUv),e.push(t.clearcoatRoughnessMapUv),e.push(t.diffuseRoughnessMapUv),e.push(t.iridescenceMapUv),e.push(t.iridescenceThicknessMapUv),e.push(t.sheenColorMapUv),e.push(t.sheenRoughnessMapUv),e.push(t.specularMapUv),e.push(t.specularColorMapUv),e.push(t.specularIntensityMapUv),e.push(t.transmissionMapUv),e.push(t.thicknessMapUv),e.push(t.combine),e.push(t.fogExp2),e.push(t.sizeAttenuation),e.push(t.morphTargetsCount),e.push(t.numSunLights),e.push(t.numDirLights),e.push(t.numPointLights),e.push(t.numSpotLights),e.push(t.numSpotLightMaps),e.push(t.numHemiLights),e.push(t.numRectAreaLights),e.push(t.numSunLightShadows),e.push(t.numDirLightShadows),e.push(t.numPointLightShadows),e.push(t.numSpotLightShadows),e.push(t.numSpotLightShadowsWithMaps),e.push(t.numLightProbes),e.push(t.numLightProbeGrids),e.push(t.shadowMapType),e.push(t.toneMapping),e.push(t.numClippingPlanes),e.push(t.numClipIntersection),e.push(t.depthPacking)}function _(e,t){o.disableAll(),t.instancing&&o.enable(0),t.instancingColor&&o.enable(1),t.instancingMorph&&o.enable(2),t.matcap&&o.enable(3),t.envMap&&o.enable(4),t.normalMapObjectSpace&&o.enable(5),t.normalMapTangentSpace&&o.enable(6),t.clearcoat&&o.enable(7),t.iridescence&&o.enable(8),t.alphaTest&&o.enable(9),t.vertexColors&&o.enable(10),t.vertexAlphas&&o.enable(11),t.vertexUv1s&&o.enable(12),t.vertexUv2s&&o.enable(13),t.vertexUv3s&&o.enable(14),t.vertexTangents&&o.enable(15),t.anisotropy&&o.enable(16),t.alphaHash&&o.enable(17),t.batching&&o.enable(18),t.dispersion&&o.enable(19),t.retroreflection&&o.enable(24),t.diffuseRoughness&&o.enable(25),t.batchingColor&&o.enable(20),t.gradientMap&&o.enable(21),t.packedNormalMap&&o.enable(22),t.vertexNormals&&o.enable(23),e.push(o.mask),o.disableAll(),t.fog&&o.enable(0),t.useFog&&o.enable(1),t.flatShading&&o.enable(2),t.logarithmicDepthBuffer&&o.enable(3),t.reversedDepthBuffer&&o.enable(4),t.skinning&&o.enable(5),t.morphTargets&&o.enable(6),t.morphNormals&&o.enable(7),t.morphColors&&o.enable(8),t.premultipliedAlpha&&o.enable(9),t.shadowMapEnabled&&o.enable(10),t.doubleSided&&o.enable(11),t.flipSided&&o.enable(12),t.useDepthPacking&&o.enable(13),t.dithering&&o.enable(14),t.transmission&&o.enable(15),t.sheen&&o.enable(16),t.opaque&&o.enable(17),t.pointsUvs&&o.enable(18),t.decodeVideoTexture&&o.enable(19),t.decodeVideoTextureEmissive&&o.enable(20),t.alphaToCoverage&&o.enable(21),t.numLightProbeGrids>0&&o.enable(22),t.hasPositionAttribute&&o.enable(23),e.push(o.mask)}function v(e){let t=f[e.type],n;if(t){let e=kv[t];n=Qg.clone(e.uniforms)}else n=e.uniforms;return n}function y(t,n){let r=u.get(n);return r===void 0?(r=new Xb(e,n,t,i),l.push(r),u.set(n,r)):++r.usedTimes,r}function b(e){if(--e.usedTimes===0){let t=l.indexOf(e);l[t]=l[l.length-1],l.pop(),u.delete(e.cacheKey),e.destroy()}}function x(e){s.remove(e)}function S(){s.dispose()}return{getParameters:m,getProgramCacheKey:h,getUniforms:v,acquireProgram:y,releaseProgram:b,releaseShaderCache:x,programs:l,dispose:S}}function nx(){let e=new WeakMap;function t(t){return e.has(t)}function n(t){let n=e.get(t);return n===void 0&&(n={},e.set(t,n)),n}function r(t){e.delete(t)}function i(t,n,r){e.get(t)[n]=r}function a(){e=new WeakMap}return{has:t,get:n,remove:r,update:i,dispose:a}}function rx(e,t){return e.groupOrder===t.groupOrder?e.renderOrder===t.renderOrder?e.material.id===t.material.id?e.materialVariant===t.materialVariant?e.z===t.z?e.id-t.id:e.z-t.z:e.materialVariant-t.materialVariant:e.material.id-t.material.id:e.renderOrder-t.renderOrder:e.groupOrder-t.groupOrder}function ix(e,t){return e.groupOrder===t.groupOrder?e.renderOrder===t.renderOrder?e.z===t.z?e.id-t.id:t.z-e.z:e.renderOrder-t.renderOrder:e.groupOrder-t.groupOrder}function ax(){let e=[],t=0,n=[],r=[],i=[];function a(){t=0,n.length=0,r.length=0,i.length=0}function o(e){let t=0;return e.isInstancedMesh&&(t+=2),e.isSkinnedMesh&&(t+=1),t}function s(n,r,i,a,s,c){let l=e[t];return l===void 0?(l={id:n.id,object:n,geometry:r,material:i,materialVariant:o(n),groupOrder:a,renderOrder:n.renderOrder,z:s,group:c},e[t]=l):(l.id=n.id,l.object=n,l.geometry=r,l.material=i,l.materialVariant=o(n),l.groupOrder=a,l.renderOrder=n.renderOrder,l.z=s,l.group=c),t++,l}function c(e,t,a,o,c,l,u){u.reversedDepth===!0&&(c=-c);let d=s(e,t,a,o,c,l);a.transmission>0?r.push(d):a.transparent===!0?i.push(d):n.push(d)}function l(e,t,a,o,c,l){let u=s(e,t,a,o,c,l);a.transmission>0?r.unshift(u):a.transparent===!0?i.unshift(u):n.unshift(u)}function u(e,t){n.length>1&&n.sort(e||rx),r.length>1&&r.sort(t||ix),i.length>1&&i.sort(t||ix)}function d(){for(let n=t,r=e.length;n<r;n++){let t=e[n];if(t.id===null)break;t.id=null,t.object=null,t.geometry=null,t.material=null,t.group=null}}return{opaque:n,transmissive:r,transparent:i,init:a,push:c,unshift:l,finish:d,sort:u}}function ox(){let e=new WeakMap;function t(t,n){let r=e.get(t),i;return r===void 0?(i=new ax,e.set(t,[i])):n>=r.length?(i=new ax,r.push(i)):i=r[n],i}function n(){e=new WeakMap}return{get:t,dispose:n}}function sx(){let e={};return{get:function(t){if(e[t.id]!==void 0)return e[t.id];let n;switch(t.type){case`SunLight`:case`DirectionalLight`:n={direction:new Z,color:new Q};break;case`SpotLight`:n={position:new Z,direction:new Z,color:new Q,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case`PointLight`:n={position:new Z,color:new Q,distance:0,decay:0};break;case`HemisphereLight`:n={direction:new Z,skyColor:new Q,groundColor:new Q};break;case`RectAreaLight`:n={color:new Q,position:new Z,halfWidth:new Z,halfHeight:new Z}}return e[t.id]=n,n}}}function cx(){let e={};return{get:function(t){if(e[t.id]!==void 0)return e[t.id];let n;switch(t.type){case`SunLight`:case`DirectionalLight`:n={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new X};break;case`SpotLight`:n={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new X};break;case`PointLight`:n={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new X,shadowCameraNear:1,shadowCameraFar:1e3}}return e[t.id]=n,n}}}var lx=0;function ux(e,t){return(t.castShadow?2:0)-(e.castShadow?2:0)+ +!!t.map-!!e.map}function dx(e){let t=new sx,n=cx(),r={version:0,hash:{sunLength:-1,directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numSunShadows:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],sun:[],sunShadow:[],sunShadowMap:[],sunShadowMatrix:[],sunShadowCascade:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let e=0;e<9;e++)r.probe.push(new Z);let i=new Z,a=new Nf,o=new Nf;function s(i){let a=0,o=0,s=0;for(let e=0;e<9;e++)r.probe[e].set(0,0,0);let c=0,l=0,u=0,d=0,f=0,p=0,m=0,h=0,g=0,_=0,v=0,y=0,b=0,x=0;i.sort(ux);for(let e=0,S=i.length;e<S;e++){let S=i[e],C=S.color,w=S.intensity,T=S.distance,E=null;if(S.shadow&&S.shadow.map&&(E=S.shadow.map.texture.format===1030?S.shadow.map.texture:S.shadow.map.depthTexture||S.shadow.map.texture),S.isAmbientLight)a+=C.r*w,o+=C.g*w,s+=C.b*w;else if(S.isLightProbe){for(let e=0;e<9;e++)r.probe[e].addScaledVector(S.sh.coefficients[e],w);x++}else if(S.isSunLight){let e=t.get(S);if(e.color.copy(S.color).multiplyScalar(S.intensity),S.castShadow){let e=S.shadow,t=n.get(S);t.shadowIntensity=e.intensity,t.shadowBias=e.bias,t.shadowNormalBias=e.normalBias,t.shadowRadius=e.radius,t.shadowMapSize.copy(e.mapSize).multiply(e.getFrameExtents()),r.sunShadow[l]=t,r.sunShadowMap[l]=E;let i=e.getViewportCount();for(let t=0;t<i;t++)r.sunShadowMatrix[u+t]=e.getMatrix(t),r.sunShadowCascade[u+t]=e._cascadeData[t];u+=i,l++}r.sun[c]=e,c++}else if(S.isDirectionalLight){let e=t.get(S);if(e.color.copy(S.color).multiplyScalar(S.intensity),S.castShadow){let e=S.shadow,t=n.get(S);t.shadowIntensity=e.intensity,t.shadowBias=e.bias,t.shadowNormalBias=e.normalBias,t.shadowRadius=e.radius,t.shadowMapSize=e.mapSize,r.directionalShadow[d]=t,r.directionalShadowMap[d]=E,r.directionalShadowMatrix[d]=S.shadow.matrix,g++}r.directional[d]=e,d++}else if(S.isSpotLight){let e=t.get(S);e.position.setFromMatrixPosition(S.matrixWorld),e.color.copy(C).multiplyScalar(w),e.distance=T,e.coneCos=Math.cos(S.angle),e.penumbraCos=Math.cos(S.angle*(1-S.penumbra)),e.decay=S.decay,r.spot[p]=e;let i=S.shadow;if(S.map&&(r.spotLightMap[y]=S.map,y++,i.updateMatrices(S),S.castShadow&&b++),r.spotLightMatrix[p]=i.matrix,S.castShadow){let e=n.get(S);e.shadowIntensity=i.intensity,e.shadowBias=i.bias,e.shadowNormalBias=i.normalBias,e.shadowRadius=i.radius,e.shadowMapSize=i.mapSize,r.spotShadow[p]=e,r.spotShadowMap[p]=E,v++}p++}else if(S.isRectAreaLight){let e=t.get(S);e.color.copy(C).multiplyScalar(w),e.halfWidth.set(S.width*.5,0,0),e.halfHeight.set(0,S.height*.5,0),r.rectArea[m]=e,m++}else if(S.isPointLight){let e=t.get(S);if(e.color.copy(S.color).multiplyScalar(S.intensity),e.distance=S.distance,e.decay=S.decay,S.castShadow){let e=S.shadow,t=n.get(S);t.shadowIntensity=e.intensity,t.shadowBias=e.bias,t.shadowNormalBias=e.normalBias,t.shadowRadius=e.radius,t.shadowMapSize=e.mapSize,t.shadowCameraNear=e.camera.near,t.shadowCameraFar=e.camera.far,r.pointShadow[f]=t,r.pointShadowMap[f]=E,r.pointShadowMatrix[f]=S.shadow.matrix,_++}r.point[f]=e,f++}else if(S.isHemisphereLight){let e=t.get(S);e.skyColor.copy(S.color).multiplyScalar(w),e.groundColor.copy(S.groundColor).multiplyScalar(w),r.hemi[h]=e,h++}}m>0&&(e.has(`OES_texture_float_linear`)===!0?(r.rectAreaLTC1=$.LTC_FLOAT_1,r.rectAreaLTC2=$.LTC_FLOAT_2):(r.rectAreaLTC1=$.LTC_HALF_1,r.rectAreaLTC2=$.LTC_HALF_2)),r.ambient[0]=a,r.ambient[1]=o,r.ambient[2]=s;let S=r.hash;(S.sunLength!==c||S.directionalLength!==d||S.pointLength!==f||S.spotLength!==p||S.rectAreaLength!==m||S.hemiLength!==h||S.numSunShadows!==l||S.numDirectionalShadows!==g||S.numPointShadows!==_||S.numSpotShadows!==v||S.numSpotMaps!==y||S.numLightProbes!==x)&&(r.sun.length=c,r.directional.length=d,r.spot.length=p,r.rectArea.length=m,r.point.length=f,r.hemi.length=h,r.sunShadow.length=l,r.sunShadowMap.length=l,r.sunShadowMatrix.length=u,r.sunShadowCascade.length=u,r.directionalShadow.length=g,r.directionalShadowMap.length=g,r.directionalShadowMatrix.length=g,r.pointShadow.length=_,r.pointShadowMap.length=_,r.pointShadowMatrix.length=_,r.spotShadow.length=v,r.spotShadowMap.length=v,r.spotLightMatrix.length=v+y-b,r.spotLightMap.length=y,r.numSpotLightShadowsWithMaps=b,r.numLightProbes=x,S.sunLength=c,S.directionalLength=d,S.pointLength=f,S.spotLength=p,S.rectAreaLength=m,S.hemiLength=h,S.numSunShadows=l,S.numDirectionalShadows=g,S.numPointShadows=_,S.numSpotShadows=v,S.numSpotMaps=y,S.numLightProbes=x,r.version=lx++)}function c(e,t){let n=0,s=0,c=0,l=0,u=0,d=0,f=t.matrixWorldInverse;for(let t=0,p=e.length;t<p;t++){let p=e[t];if(p.isSunLight){let e=r.sun[n];e.direction.setFromMatrixPosition(p.matrixWorld),e.direction.transformDirection(f),n++}else if(p.isDirectionalLight){let e=r.directional[s];e.direction.setFromMatrixPosition(p.matrixWorld),i.setFromMatrixPosition(p.target.matrixWorld),e.direction.sub(i),e.direction.transformDirection(f),s++}else if(p.isSpotLight){let e=r.spot[l];e.position.setFromMatrixPosition(p.matrixWorld),e.position.applyMatrix4(f),e.direction.setFromMatrixPosition(p.matrixWorld),i.setFromMatrixPosition(p.target.matrixWorld),e.direction.sub(i),e.direction.transformDirection(f),l++}else if(p.isRectAreaLight){let e=r.rectArea[u];e.position.setFromMatrixPosition(p.matrixWorld),e.position.applyMatrix4(f),o.identity(),a.copy(p.matrixWorld),a.premultiply(f),o.extractRotation(a),e.halfWidth.set(p.width*.5,0,0),e.halfHeight.set(0,p.height*.5,0),e.halfWidth.applyMatrix4(o),e.halfHeight.applyMatrix4(o),u++}else if(p.isPointLight){let e=r.point[c];e.position.setFromMatrixPosition(p.matrixWorld),e.position.applyMatrix4(f),c++}else if(p.isHemisphereLight){let e=r.hemi[d];e.direction.setFromMatrixPosition(p.matrixWorld),e.direction.transformDirection(f),d++}}}return{setup:s,setupView:c,state:r}}function fx(e){let t=new dx(e),n=[],r=[],i=[];function a(e){u.camera=e,n.length=0,r.length=0,i.length=0}function o(e){e.isLightProbeGrid?i.push(e):n.push(e)}function s(e){r.push(e)}function c(){t.setup(n),i.sort((e,t)=>e.priority-t.priority||e.id-t.id)}function l(e){t.setupView(n,e)}let u={lightsArray:n,shadowsArray:r,lightProbeGridArray:i,camera:null,lights:t,transmissionRenderTarget:{},textureUnits:0};return{init:a,state:u,setupLights:c,setupLightsView:l,pushLight:o,pushShadow:s}}function px(e){let t=new WeakMap;function n(n,r=0){let i=t.get(n),a;return i===void 0?(a=new fx(e),t.set(n,[a])):r>=i.length?(a=new fx(e),i.push(a)):a=i[r],a}function r(){t=new WeakMap}return{get:n,dispose:r}}var mx=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,hx=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
void main() {
	const float samples = float( VSM_SAMPLES );
	float mean = 0.0;
	float squared_mean = 0.0;
	float uvStride = samples <= 1.0 ? 0.0 : 2.0 / ( samples - 1.0 );
	float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
	for ( float i = 0.0; i < samples; i ++ ) {
		float uvOffset = uvStart + i * uvStride;
		#ifdef HORIZONTAL_PASS
			vec2 distribution = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( uvOffset, 0.0 ) * radius ) / resolution ).rg;
			mean += distribution.x;
			squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
		#else
			float depth = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( 0.0, uvOffset ) * radius ) / resolution ).r;
			mean += depth;
			squared_mean += depth * depth;
		#endif
	}
	mean = mean / samples;
	squared_mean = squared_mean / samples;
	float std_dev = sqrt( max( 0.0, squared_mean - mean * mean ) );
	gl_FragColor = vec4( mean, std_dev, 0.0, 1.0 );
}`,gx=[new Z(1,0,0),new Z(-1,0,0),new Z(0,1,0),new Z(0,-1,0),new Z(0,0,1),new Z(0,0,-1)],_x=[new Z(0,-1,0),new Z(0,-1,0),new Z(0,0,1),new Z(0,0,-1),new Z(0,-1,0),new Z(0,-1,0)],vx=new Nf,yx=new Z,bx=new Z;function xx(e,t,n){let r=new Gm,i=new X,a=new X,o=new Of,s=new i_,c=new a_,l={},u=n.maxTextureSize,d={0:1,1:0,2:2},f=new t_({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new X},radius:{value:4}},vertexShader:mx,fragmentShader:hx}),p=f.clone();p.defines.HORIZONTAL_PASS=1;let m=new um;m.setAttribute(`position`,new Yp(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let h=new Rm(m,f),g=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=1;let _=this.type;this.render=function(t,n,s){if(g.enabled===!1||g.autoUpdate===!1&&g.needsUpdate===!1||t.length===0)return;this.type===2&&(Y(`WebGLShadowMap: PCFSoftShadowMap has been removed. Using PCFShadowMap instead.`),this.type=1);let c=e.getRenderTarget(),l=e.getActiveCubeFace(),d=e.getActiveMipmapLevel(),f=e.state;f.setBlending(0),f.buffers.depth.getReversed()===!0?f.buffers.color.setClear(0,0,0,0):f.buffers.color.setClear(1,1,1,1),f.buffers.depth.setTest(!0),f.setScissorTest(!1);let p=_!==this.type;p&&n.traverse(function(e){e.material&&(Array.isArray(e.material)?e.material.forEach(e=>e.needsUpdate=!0):e.material.needsUpdate=!0)});for(let c=0,l=t.length;c<l;c++){let l=t[c],d=l.shadow;if(d===void 0){Y(`WebGLShadowMap:`,l,`has no shadow.`);continue}if(d.autoUpdate===!1&&d.needsUpdate===!1)continue;i.copy(d.mapSize);let m=d.getFrameExtents();i.multiply(m),a.copy(d.mapSize),(i.x>u||i.y>u)&&(i.x>u&&(a.x=Math.floor(u/m.x),i.x=a.x*m.x,d.mapSize.x=a.x),i.y>u&&(a.y=Math.floor(u/m.y),i.y=a.y*m.y,d.mapSize.y=a.y));let h=e.state.buffers.depth.getReversed();if(d.camera._reversedDepth=h,d.map===null||p===!0){if(d.map!==null&&(d.map.depthTexture!==null&&(d.map.depthTexture.dispose(),d.map.depthTexture=null),d.map.dispose()),this.type===3){if(l.isPointLight){Y(`WebGLShadowMap: VSM shadow maps are not supported for PointLights. Use PCF or BasicShadowMap instead.`);continue}d.map=new Af(i.x,i.y,{format:Su,type:lu,minFilter:$l,magFilter:$l,generateMipmaps:!1}),d.map.texture.name=l.name+`.shadowMap`,d.map.depthTexture=new hh(i.x,i.y,cu),d.map.depthTexture.name=l.name+`.shadowMapDepth`,d.map.depthTexture.format=vu,d.map.depthTexture.compareFunction=null,d.map.depthTexture.minFilter=Xl,d.map.depthTexture.magFilter=Xl}else l.isPointLight?(d.map=new Rv(i.x),d.map.depthTexture=new gh(i.x,su)):(d.map=new Af(i.x,i.y),d.map.depthTexture=new hh(i.x,i.y,su)),d.map.depthTexture.name=l.name+`.shadowMap`,d.map.depthTexture.format=vu,this.type===1?(d.map.depthTexture.compareFunction=h?518:515,d.map.depthTexture.minFilter=$l,d.map.depthTexture.magFilter=$l):(d.map.depthTexture.compareFunction=null,d.map.depthTexture.minFilter=Xl,d.map.depthTexture.magFilter=Xl);d.camera.updateProjectionMatrix()}d.map.isWebGLCubeRenderTarget!==!0&&(d.map.width!==i.x||d.map.height!==i.y)&&d.map.setSize(i.x,i.y);let g=d.map.isWebGLCubeRenderTarget?6:d.getViewportCount();l.isPointLight!==!0&&d.updateMatrices(l,s);let _=d.camera.layers.mask&4294967294?d.camera.layers:s.layers;for(let t=0;t<g;t++){let i=d.getCamera(t);if(l.isPointLight){let e=d.camera,n=d.matrix,r=l.distance||e.far;r!==e.far&&(e.far=r,e.updateProjectionMatrix()),yx.setFromMatrixPosition(l.matrixWorld),e.position.copy(yx),bx.copy(e.position),bx.add(gx[t]),e.up.copy(_x[t]),e.lookAt(bx),e.updateMatrixWorld(),n.makeTranslation(-yx.x,-yx.y,-yx.z),vx.multiplyMatrices(e.projectionMatrix,e.matrixWorldInverse),d._frustum.setFromProjectionMatrix(vx,e.coordinateSystem,e.reversedDepth)}if(d.map.isWebGLCubeRenderTarget)e.setRenderTarget(d.map,t),e.clear();else{t===0&&(e.setRenderTarget(d.map),e.clear());let n=d.getViewport(t);o.set(a.x*n.x,a.y*n.y,a.x*n.z,a.y*n.w),f.viewport(o)}r=d.getFrustum(t),b(n,s,i,l,_,this.type)}d.isPointLightShadow!==!0&&this.type===3&&v(d,s),d.needsUpdate=!1}_=this.type,g.needsUpdate=!1,e.setRenderTarget(c,l,d)};function v(n,r){let a=t.update(h);f.defines.VSM_SAMPLES!==n.blurSamples&&(f.defines.VSM_SAMPLES=n.blurSamples,p.defines.VSM_SAMPLES=n.blurSamples,f.needsUpdate=!0,p.needsUpdate=!0),n.mapPass===null?n.mapPass=new Af(i.x,i.y,{format:Su,type:lu}):(n.mapPass.width!==n.map.width||n.mapPass.height!==n.map.height)&&n.mapPass.setSize(n.map.width,n.map.height),f.uniforms.shadow_pass.value=n.map.depthTexture,f.uniforms.resolution.value.set(n.map.width,n.map.height),f.uniforms.radius.value=n.radius,e.setRenderTarget(n.mapPass),e.clear(),e.renderBufferDirect(r,null,a,f,h,null),p.uniforms.shadow_pass.value=n.mapPass.texture,p.uniforms.resolution.value.set(n.map.width,n.map.height),p.uniforms.radius.value=n.radius,e.setRenderTarget(n.map),e.clear(),e.renderBufferDirect(r,null,a,p,h,null)}function y(t,n,r,i){let a=null,o=r.isPointLight===!0?t.customDistanceMaterial:t.customDepthMaterial;if(o!==void 0)a=o;else if(a=r.isPointLight===!0?c:s,e.localClippingEnabled&&n.clipShadows===!0&&Array.isArray(n.clippingPlanes)&&n.clippingPlanes.length!==0||n.displacementMap&&n.displacementScale!==0||n.alphaMap&&n.alphaTest>0||n.map&&n.alphaTest>0||n.alphaToCoverage===!0){let e=a.uuid,t=n.uuid,r=l[e];r===void 0&&(r={},l[e]=r);let i=r[t];i===void 0&&(i=a.clone(),r[t]=i,n.addEventListener(`dispose`,x)),a=i}if(a.visible=n.visible,a.wireframe=n.wireframe,i===3?a.side=n.shadowSide===null?n.side:n.shadowSide:a.side=n.shadowSide===null?d[n.side]:n.shadowSide,a.alphaMap=n.alphaMap,a.alphaTest=n.alphaToCoverage===!0?.5:n.alphaTest,a.map=n.map,a.clipShadows=n.clipShadows,a.clippingPlanes=n.clippingPlanes,a.clipIntersection=n.clipIntersection,a.displacementMap=n.displacementMap,a.displacementScale=n.displacementScale,a.displacementBias=n.displacementBias,a.wireframeLinewidth=n.wireframeLinewidth,a.linewidth=n.linewidth,r.isPointLight===!0&&a.isMeshDistanceMaterial===!0){let t=e.properties.get(a);t.light=r}return a}function b(n,i,a,o,s,c){if(n.visible===!1)return;if(n.layers.test(s)&&(n.isMesh||n.isLine||n.isPoints)&&(n.castShadow||n.receiveShadow&&c===3)&&(!n.frustumCulled||n.intersectsFrustum(r))){n.modelViewMatrix.multiplyMatrices(a.matrixWorldInverse,n.matrixWorld);let r=t.update(n),s=n.material;if(Array.isArray(s)){let t=r.groups;for(let l=0,u=t.length;l<u;l++){let u=t[l],d=s[u.materialIndex];if(d&&d.visible){let t=y(n,d,o,c);n.onBeforeShadow(e,n,i,a,r,t,u),e.renderBufferDirect(a,null,r,t,n,u),n.onAfterShadow(e,n,i,a,r,t,u)}}}else if(s.visible){let t=y(n,s,o,c);n.onBeforeShadow(e,n,i,a,r,t,null),e.renderBufferDirect(a,null,r,t,n,null),n.onAfterShadow(e,n,i,a,r,t,null)}}let l=n.children;for(let e=0,t=l.length;e<t;e++)b(l[e],i,a,o,s,c)}function x(e){e.target.removeEventListener(`dispose`,x);for(let t in l){let n=l[t],r=e.target.uuid;r in n&&(n[r].dispose(),delete n[r])}}}function Sx(e,t){function n(){let t=!1,n=new Of,r=null,i=new Of(0,0,0,0);return{setMask:function(n){r!==n&&!t&&(e.colorMask(n,n,n,n),r=n)},setLocked:function(e){t=e},setClear:function(t,r,a,o,s){s===!0&&(t*=o,r*=o,a*=o),n.set(t,r,a,o),i.equals(n)===!1&&(e.clearColor(t,r,a,o),i.copy(n))},reset:function(){t=!1,r=null,i.set(-1,0,0,0)}}}function r(){let n=!1,r=!1,i=null,a=null,o=null;return{setReversed:function(e){if(r!==e){let n=t.get(`EXT_clip_control`);e?n.clipControlEXT(n.LOWER_LEFT_EXT,n.ZERO_TO_ONE_EXT):n.clipControlEXT(n.LOWER_LEFT_EXT,n.NEGATIVE_ONE_TO_ONE_EXT),r=e;let i=o;o=null,this.setClear(i)}},getReversed:function(){return r},setTest:function(t){t?se(e.DEPTH_TEST):ce(e.DEPTH_TEST)},setMask:function(t){i!==t&&!n&&(e.depthMask(t),i=t)},setFunc:function(t){if(r&&(t=Md[t]),a!==t){switch(t){case 0:e.depthFunc(e.NEVER);break;case 1:e.depthFunc(e.ALWAYS);break;case 2:e.depthFunc(e.LESS);break;case 3:e.depthFunc(e.LEQUAL);break;case 4:e.depthFunc(e.EQUAL);break;case 5:e.depthFunc(e.GEQUAL);break;case 6:e.depthFunc(e.GREATER);break;case 7:e.depthFunc(e.NOTEQUAL);break;default:e.depthFunc(e.LEQUAL)}a=t}},setLocked:function(e){n=e},setClear:function(t){o!==t&&(o=t,r&&(t=1-t),e.clearDepth(t))},reset:function(){n=!1,i=null,a=null,o=null,r=!1}}}function i(){let t=!1,n=null,r=null,i=null,a=null,o=null,s=null,c=null,l=null;return{setTest:function(n){t||(n?se(e.STENCIL_TEST):ce(e.STENCIL_TEST))},setMask:function(r){n!==r&&!t&&(e.stencilMask(r),n=r)},setFunc:function(t,n,o){(r!==t||i!==n||a!==o)&&(e.stencilFunc(t,n,o),r=t,i=n,a=o)},setOp:function(t,n,r){(o!==t||s!==n||c!==r)&&(e.stencilOp(t,n,r),o=t,s=n,c=r)},setLocked:function(e){t=e},setClear:function(t){l!==t&&(e.clearStencil(t),l=t)},reset:function(){t=!1,n=null,r=null,i=null,a=null,o=null,s=null,c=null,l=null}}}let a=new n,o=new r,s=new i,c={},l=new WeakMap,u={},d={},f={},p=new WeakMap,m=[],h=null,g=!1,_=null,v=null,y=null,b=null,x=null,S=null,C=null,w=new Q(0,0,0),T=0,E=!1,D=null,O=null,k=null,A=null,j=null,M=e.getParameter(e.MAX_COMBINED_TEXTURE_IMAGE_UNITS),N=!1,ee=0,te=e.getParameter(e.VERSION);te.indexOf(`WebGL`)===-1?te.indexOf(`OpenGL ES`)!==-1&&(ee=parseFloat(/^OpenGL ES (\d)/.exec(te)[1]),N=ee>=2):(ee=parseFloat(/^WebGL (\d)/.exec(te)[1]),N=ee>=1);let P=null,ne={},re=e.getParameter(e.SCISSOR_BOX),F=e.getParameter(e.VIEWPORT),ie=new Of().fromArray(re),ae=new Of().fromArray(F);function oe(t,n,r,i){let a=new Uint8Array(4),o=e.createTexture();e.bindTexture(t,o),e.texParameteri(t,e.TEXTURE_MIN_FILTER,e.NEAREST),e.texParameteri(t,e.TEXTURE_MAG_FILTER,e.NEAREST);for(let o=0;o<r;o++)t===e.TEXTURE_3D||t===e.TEXTURE_2D_ARRAY?e.texImage3D(n,0,e.RGBA,1,1,i,0,e.RGBA,e.UNSIGNED_BYTE,a):e.texImage2D(n+o,0,e.RGBA,1,1,0,e.RGBA,e.UNSIGNED_BYTE,a);return o}let I={};I[e.TEXTURE_2D]=oe(e.TEXTURE_2D,e.TEXTURE_2D,1),I[e.TEXTURE_CUBE_MAP]=oe(e.TEXTURE_CUBE_MAP,e.TEXTURE_CUBE_MAP_POSITIVE_X,6),I[e.TEXTURE_2D_ARRAY]=oe(e.TEXTURE_2D_ARRAY,e.TEXTURE_2D_ARRAY,1,1),I[e.TEXTURE_3D]=oe(e.TEXTURE_3D,e.TEXTURE_3D,1,1),a.setClear(0,0,0,1),o.setClear(1),s.setClear(0),se(e.DEPTH_TEST),o.setFunc(3),pe(!1),me(1),se(e.CULL_FACE),de(0);function se(t){u[t]!==!0&&(e.enable(t),u[t]=!0)}function ce(t){u[t]!==!1&&(e.disable(t),u[t]=!1)}function le(t,n){return f[t]!==n&&(e.bindFramebuffer(t,n),f[t]=n,t===e.DRAW_FRAMEBUFFER&&(f[e.FRAMEBUFFER]=n),t===e.FRAMEBUFFER&&(f[e.DRAW_FRAMEBUFFER]=n),!0)}function L(t,n){let r=m,i=!1;if(t){r=p.get(n),r===void 0&&(r=[],p.set(n,r));let a=t.textures;if(r.length!==a.length||r[0]!==e.COLOR_ATTACHMENT0){for(let t=0,n=a.length;t<n;t++)r[t]=e.COLOR_ATTACHMENT0+t;r.length=a.length,i=!0}}else r[0]!==e.BACK&&(r[0]=e.BACK,i=!0);i&&e.drawBuffers(r)}function R(t){return h!==t&&(e.useProgram(t),h=t,!0)}let z={100:e.FUNC_ADD,101:e.FUNC_SUBTRACT,102:e.FUNC_REVERSE_SUBTRACT};z[103]=e.MIN,z[104]=e.MAX;let ue={200:e.ZERO,201:e.ONE,202:e.SRC_COLOR,204:e.SRC_ALPHA,210:e.SRC_ALPHA_SATURATE,208:e.DST_COLOR,206:e.DST_ALPHA,203:e.ONE_MINUS_SRC_COLOR,205:e.ONE_MINUS_SRC_ALPHA,209:e.ONE_MINUS_DST_COLOR,207:e.ONE_MINUS_DST_ALPHA,211:e.CONSTANT_COLOR,212:e.ONE_MINUS_CONSTANT_COLOR,213:e.CONSTANT_ALPHA,214:e.ONE_MINUS_CONSTANT_ALPHA};function de(t,n,r,i,a,o,s,c,l,u){if(t===0)g===!0&&(ce(e.BLEND),g=!1);else if(g===!1&&(se(e.BLEND),g=!0),t!==5){if(t!==_||u!==E){if((v!==100||x!==100)&&(e.blendEquation(e.FUNC_ADD),v=100,x=100),u)switch(t){case 1:e.blendFuncSeparate(e.ONE,e.ONE_MINUS_SRC_ALPHA,e.ONE,e.ONE_MINUS_SRC_ALPHA);break;case 2:e.blendFunc(e.ONE,e.ONE);break;case 3:e.blendFuncSeparate(e.ZERO,e.ONE_MINUS_SRC_COLOR,e.ZERO,e.ONE);break;case 4:e.blendFuncSeparate(e.DST_COLOR,e.ONE_MINUS_SRC_ALPHA,e.ZERO,e.ONE);break;default:kd(`WebGLState: Invalid blending: `,t)}else switch(t){case 1:e.blendFuncSeparate(e.SRC_ALPHA,e.ONE_MINUS_SRC_ALPHA,e.ONE,e.ONE_MINUS_SRC_ALPHA);break;case 2:e.blendFuncSeparate(e.SRC_ALPHA,e.ONE,e.ONE,e.ONE);break;case 3:kd(`WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true`);break;case 4:kd(`WebGLState: MultiplyBlending requires material.premultipliedAlpha = true`);break;default:kd(`WebGLState: Invalid blending: `,t)}y=null,b=null,S=null,C=null,w.set(0,0,0),T=0,_=t,E=u}}else a||=n,o||=r,s||=i,(n!==v||a!==x)&&(e.blendEquationSeparate(z[n],z[a]),v=n,x=a),(r!==y||i!==b||o!==S||s!==C)&&(e.blendFuncSeparate(ue[r],ue[i],ue[o],ue[s]),y=r,b=i,S=o,C=s),(c.equals(w)===!1||l!==T)&&(e.blendColor(c.r,c.g,c.b,l),w.copy(c),T=l),_=t,E=!1}function fe(t,n){t.side===2?ce(e.CULL_FACE):se(e.CULL_FACE);let r=t.side===1;n&&(r=!r),pe(r),t.blending===1&&t.transparent===!1?de(0):de(t.blending,t.blendEquation,t.blendSrc,t.blendDst,t.blendEquationAlpha,t.blendSrcAlpha,t.blendDstAlpha,t.blendColor,t.blendAlpha,t.premultipliedAlpha),o.setFunc(t.depthFunc),o.setTest(t.depthTest),o.setMask(t.depthWrite),a.setMask(t.colorWrite);let i=t.stencilWrite;s.setTest(i),i&&(s.setMask(t.stencilWriteMask),s.setFunc(t.stencilFunc,t.stencilRef,t.stencilFuncMask),s.setOp(t.stencilFail,t.stencilZFail,t.stencilZPass)),ge(t.polygonOffset,t.polygonOffsetFactor,t.polygonOffsetUnits),t.alphaToCoverage===!0?se(e.SAMPLE_ALPHA_TO_COVERAGE):ce(e.SAMPLE_ALPHA_TO_COVERAGE)}function pe(t){D!==t&&(t?e.frontFace(e.CW):e.frontFace(e.CCW),D=t)}function me(t){t===0?ce(e.CULL_FACE):(se(e.CULL_FACE),t!==O&&(t===1?e.cullFace(e.BACK):t===2?e.cullFace(e.FRONT):e.cullFace(e.FRONT_AND_BACK))),O=t}function he(t){t!==k&&(N&&e.lineWidth(t),k=t)}function ge(t,n,r){t?(se(e.POLYGON_OFFSET_FILL),(A!==n||j!==r)&&(A=n,j=r,o.getReversed()&&(n=-n,r=-r),e.polygonOffset(n,r))):ce(e.POLYGON_OFFSET_FILL)}function _e(t){t?se(e.SCISSOR_TEST):ce(e.SCISSOR_TEST)}function ve(t){t===void 0&&(t=e.TEXTURE0+M-1),P!==t&&(e.activeTexture(t),P=t)}function B(t,n,r){r===void 0&&(r=P===null?e.TEXTURE0+M-1:P);let i=ne[r];i===void 0&&(i={type:void 0,texture:void 0},ne[r]=i),(i.type!==t||i.texture!==n)&&(P!==r&&(e.activeTexture(r),P=r),e.bindTexture(t,n||I[t]),i.type=t,i.texture=n)}function V(){let t=ne[P];t!==void 0&&t.type!==void 0&&(e.bindTexture(t.type,null),t.type=void 0,t.texture=void 0)}function H(){try{e.compressedTexImage2D(...arguments)}catch(e){kd(`WebGLState:`,e)}}function U(){try{e.compressedTexImage3D(...arguments)}catch(e){kd(`WebGLState:`,e)}}function W(){try{e.texSubImage2D(...arguments)}catch(e){kd(`WebGLState:`,e)}}function ye(){try{e.texSubImage3D(...arguments)}catch(e){kd(`WebGLState:`,e)}}function G(){try{e.compressedTexSubImage2D(...arguments)}catch(e){kd(`WebGLState:`,e)}}function K(){try{e.compressedTexSubImage3D(...arguments)}catch(e){kd(`WebGLState:`,e)}}function be(){try{e.texStorage2D(...arguments)}catch(e){kd(`WebGLState:`,e)}}function xe(){try{e.texStorage3D(...arguments)}catch(e){kd(`WebGLState:`,e)}}function Se(){try{e.texImage2D(...arguments)}catch(e){kd(`WebGLState:`,e)}}function q(){try{e.texImage3D(...arguments)}catch(e){kd(`WebGLState:`,e)}}function Ce(t){return d[t]===void 0?e.getParameter(t):d[t]}function we(t,n){d[t]!==n&&(e.pixelStorei(t,n),d[t]=n)}function Te(t){ie.equals(t)===!1&&(e.scissor(t.x,t.y,t.z,t.w),ie.copy(t))}function Ee(t){ae.equals(t)===!1&&(e.viewport(t.x,t.y,t.z,t.w),ae.copy(t))}function De(t,n){let r=l.get(n);r===void 0&&(r=new WeakMap,l.set(n,r));let i=r.get(t);i===void 0&&(i=e.getUniformBlockIndex(n,t.name),e.uniformBlockBinding(n,i,i),r.set(t,i))}function Oe(t,n,r){let i=l.get(n).get(t);c[i]!==r&&(e.bindBufferBase(e.UNIFORM_BUFFER,i,r),c[i]=r)}function ke(){e.disable(e.BLEND),e.disable(e.CULL_FACE),e.disable(e.DEPTH_TEST),e.disable(e.POLYGON_OFFSET_FILL),e.disable(e.SCISSOR_TEST),e.disable(e.STENCIL_TEST),e.disable(e.SAMPLE_ALPHA_TO_COVERAGE),e.blendEquation(e.FUNC_ADD),e.blendFunc(e.ONE,e.ZERO),e.blendFuncSeparate(e.ONE,e.ZERO,e.ONE,e.ZERO),e.blendColor(0,0,0,0),e.colorMask(!0,!0,!0,!0),e.clearColor(0,0,0,0),e.depthMask(!0),e.depthFunc(e.LESS),o.setReversed(!1),e.clearDepth(1),e.stencilMask(4294967295),e.stencilFunc(e.ALWAYS,0,4294967295),e.stencilOp(e.KEEP,e.KEEP,e.KEEP),e.clearStencil(0),e.cullFace(e.BACK),e.frontFace(e.CCW),e.polygonOffset(0,0),e.activeTexture(e.TEXTURE0),e.bindFramebuffer(e.FRAMEBUFFER,null),e.bindFramebuffer(e.DRAW_FRAMEBUFFER,null),e.bindFramebuffer(e.READ_FRAMEBUFFER,null),e.useProgram(null),e.lineWidth(1),e.scissor(0,0,e.canvas.width,e.canvas.height),e.viewport(0,0,e.canvas.width,e.canvas.height),e.pixelStorei(e.PACK_ALIGNMENT,4),e.pixelStorei(e.UNPACK_ALIGNMENT,4),e.pixelStorei(e.UNPACK_FLIP_Y_WEBGL,!1),e.pixelStorei(e.UNPACK_PREMULTIPLY_ALPHA_WEBGL,!1),e.pixelStorei(e.UNPACK_COLORSPACE_CONVERSION_WEBGL,e.BROWSER_DEFAULT_WEBGL),e.pixelStorei(e.PACK_ROW_LENGTH,0),e.pixelStorei(e.PACK_SKIP_PIXELS,0),e.pixelStorei(e.PACK_SKIP_ROWS,0),e.pixelStorei(e.UNPACK_ROW_LENGTH,0),e.pixelStorei(e.UNPACK_IMAGE_HEIGHT,0),e.pixelStorei(e.UNPACK_SKIP_PIXELS,0),e.pixelStorei(e.UNPACK_SKIP_ROWS,0),e.pixelStorei(e.UNPACK_SKIP_IMAGES,0),u={},d={},P=null,ne={},f={},c={},p=new WeakMap,m=[],h=null,g=!1,_=null,v=null,y=null,b=null,x=null,S=null,C=null,w=new Q(0,0,0),T=0,E=!1,D=null,O=null,k=null,A=null,j=null,ie.set(0,0,e.canvas.width,e.canvas.height),ae.set(0,0,e.canvas.width,e.canvas.height),a.reset(),o.reset(),s.reset()}return{buffers:{color:a,depth:o,stencil:s},enable:se,disable:ce,bindFramebuffer:le,drawBuffers:L,useProgram:R,setBlending:de,setMaterial:fe,setFlipSided:pe,setCullFace:me,setLineWidth:he,setPolygonOffset:ge,setScissorTest:_e,activeTexture:ve,bindTexture:B,unbindTexture:V,compressedTexImage2D:H,compressedTexImage3D:U,texImage2D:Se,texImage3D:q,pixelStorei:we,getParameter:Ce,updateUBOMapping:De,uniformBlockBinding:Oe,texStorage2D:be,texStorage3D:xe,texSubImage2D:W,texSubImage3D:ye,compressedTexSubImage2D:G,compressedTexSubImage3D:K,scissor:Te,viewport:Ee,reset:ke}}function Cx(e,t,n,r,i,a,o){let s=t.has(`WEBGL_multisampled_render_to_texture`)?t.get(`WEBGL_multisampled_render_to_texture`):null,c=typeof navigator>`u`?!1:/OculusBrowser/g.test(navigator.userAgent),l=new X,u=new WeakMap,d=new Set,f,p=new WeakMap,m=new Set,h=new FinalizationRegistry(e=>m.delete(e)),g=!1;try{g=typeof OffscreenCanvas<`u`&&new OffscreenCanvas(1,1).getContext(`2d`)!==null}catch{}function _(e,t){return g?new OffscreenCanvas(e,t):wd(`canvas`)}function v(e,t,n){let r=1,i=be(e);if((i.width>n||i.height>n)&&(r=n/Math.max(i.width,i.height)),r<1){if(typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement||typeof HTMLCanvasElement<`u`&&e instanceof HTMLCanvasElement||typeof ImageBitmap<`u`&&e instanceof ImageBitmap||typeof VideoFrame<`u`&&e instanceof VideoFrame){let n=Math.floor(r*i.width),a=Math.floor(r*i.height);f===void 0&&(f=_(n,a));let o=t?_(n,a):f;return o.width=n,o.height=a,o.getContext(`2d`).drawImage(e,0,0,n,a),Y(`WebGLRenderer: Texture has been resized from (`+i.width+`x`+i.height+`) to (`+n+`x`+a+`).`),o}return`data`in e&&Y(`WebGLRenderer: Image in DataTexture is too big (`+i.width+`x`+i.height+`).`),e}return e}function y(e){return e.generateMipmaps}function b(t){e.generateMipmap(t)}function x(t){return t.isWebGLCubeRenderTarget?e.TEXTURE_CUBE_MAP:t.isWebGL3DRenderTarget?e.TEXTURE_3D:t.isWebGLArrayRenderTarget||t.isCompressedArrayTexture?e.TEXTURE_2D_ARRAY:e.TEXTURE_2D}function S(n,r,i,a,o,s=!1){if(n!==null){if(e[n]!==void 0)return e[n];Y(`WebGLRenderer: Attempt to use non-existing WebGL internal format '`+n+`'`)}let c;a&&(c=t.get(`EXT_texture_norm16`),c||Y(`WebGLRenderer: Unable to use normalized textures without EXT_texture_norm16 extension`));let l=r;if(r===e.RED&&(i===e.FLOAT&&(l=e.R32F),i===e.HALF_FLOAT&&(l=e.R16F),i===e.UNSIGNED_BYTE&&(l=e.R8),i===e.UNSIGNED_SHORT&&c&&(l=c.R16_EXT),i===e.SHORT&&c&&(l=c.R16_SNORM_EXT)),r===e.RED_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.R8UI),i===e.UNSIGNED_SHORT&&(l=e.R16UI),i===e.UNSIGNED_INT&&(l=e.R32UI),i===e.BYTE&&(l=e.R8I),i===e.SHORT&&(l=e.R16I),i===e.INT&&(l=e.R32I)),r===e.RG&&(i===e.FLOAT&&(l=e.RG32F),i===e.HALF_FLOAT&&(l=e.RG16F),i===e.UNSIGNED_BYTE&&(l=e.RG8),i===e.UNSIGNED_SHORT&&c&&(l=c.RG16_EXT),i===e.SHORT&&c&&(l=c.RG16_SNORM_EXT)),r===e.RG_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.RG8UI),i===e.UNSIGNED_SHORT&&(l=e.RG16UI),i===e.UNSIGNED_INT&&(l=e.RG32UI),i===e.BYTE&&(l=e.RG8I),i===e.SHORT&&(l=e.RG16I),i===e.INT&&(l=e.RG32I)),r===e.RGB_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.RGB8UI),i===e.UNSIGNED_SHORT&&(l=e.RGB16UI),i===e.UNSIGNED_INT&&(l=e.RGB32UI),i===e.BYTE&&(l=e.RGB8I),i===e.SHORT&&(l=e.RGB16I),i===e.INT&&(l=e.RGB32I)),r===e.RGBA_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.RGBA8UI),i===e.UNSIGNED_SHORT&&(l=e.RGBA16UI),i===e.UNSIGNED_INT&&(l=e.RGBA32UI),i===e.BYTE&&(l=e.RGBA8I),i===e.SHORT&&(l=e.RGBA16I),i===e.INT&&(l=e.RGBA32I)),r===e.RGB&&(i===e.UNSIGNED_SHORT&&c&&(l=c.RGB16_EXT),i===e.SHORT&&c&&(l=c.RGB16_SNORM_EXT),i===e.UNSIGNED_INT_5_9_9_9_REV&&(l=e.RGB9_E5),i===e.UNSIGNED_INT_10F_11F_11F_REV&&(l=e.R11F_G11F_B10F)),r===e.RGBA){let t=s?_d:_f.getTransfer(o);i===e.FLOAT&&(l=e.RGBA32F),i===e.HALF_FLOAT&&(l=e.RGBA16F),i===e.UNSIGNED_BYTE&&(l=t===`srgb`?e.SRGB8_ALPHA8:e.RGBA8),i===e.UNSIGNED_SHORT&&c&&(l=c.RGBA16_EXT),i===e.SHORT&&c&&(l=c.RGBA16_SNORM_EXT),i===e.UNSIGNED_SHORT_4_4_4_4&&(l=e.RGBA4),i===e.UNSIGNED_SHORT_5_5_5_1&&(l=e.RGB5_A1)}return(l===e.R16F||l===e.R32F||l===e.RG16F||l===e.RG32F||l===e.RGBA16F||l===e.RGBA32F)&&t.get(`EXT_color_buffer_float`),l}function C(t,n){let r;return t?n===null||n===1014||n===1020?r=e.DEPTH24_STENCIL8:n===1015?r=e.DEPTH32F_STENCIL8:n===1012&&(r=e.DEPTH24_STENCIL8,Y(`DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.`)):n===null||n===1014||n===1020?r=e.DEPTH_COMPONENT24:n===1015?r=e.DEPTH_COMPONENT32F:n===1012&&(r=e.DEPTH_COMPONENT16),r}function w(e,t){return y(e)===!0||e.isFramebufferTexture&&e.minFilter!==1003&&e.minFilter!==1006?Math.log2(Math.max(t.width,t.height))+1:e.mipmaps.length>0?e.mipmaps.length:e.isCompressedTexture&&Array.isArray(e.image)?t.mipmaps.length:1}function T(e){let t=new WeakRef(e);r.get(e).__ref=t,m.add(t),h.register(e,t,t)}function E(e){let t=r.get(e).__ref;t!==void 0&&(m.delete(t),h.unregister(t))}function D(e){k(e.target)}function O(e){A(e.target)}function k(e){e.removeEventListener(`dispose`,D),E(e),M(e),e.isVideoTexture&&u.delete(e),e.isHTMLTexture&&d.delete(e)}function A(e){e.removeEventListener(`dispose`,O),E(e),ee(e)}function j(){for(let e of m){let t=e.deref();t!==void 0&&(t.isRenderTarget===!0?A(t):k(t))}m.clear(),d.clear()}function M(e){let t=r.get(e);if(t.__webglInit===void 0)return;let n=e.source,i=p.get(n);if(i){let r=i[t.__cacheKey];r.usedTimes--,r.usedTimes===0&&N(e),Object.keys(i).length===0&&p.delete(n)}r.remove(e)}function N(t){let n=r.get(t);e.deleteTexture(n.__webglTexture);let i=t.source,a=p.get(i);delete a[n.__cacheKey],o.memory.textures--}function ee(t){let n=r.get(t);n.__depthDisposeCallback&&n.__depthDisposeCallback();let i=t.depthTexture;if(i&&i.renderTarget===t&&k(i),t.isWebGLCubeRenderTarget)for(let t=0;t<6;t++){if(Array.isArray(n.__webglFramebuffer[t]))for(let r=0;r<n.__webglFramebuffer[t].length;r++)e.deleteFramebuffer(n.__webglFramebuffer[t][r]);else e.deleteFramebuffer(n.__webglFramebuffer[t]);n.__webglDepthbuffer&&e.deleteRenderbuffer(n.__webglDepthbuffer[t])}else{if(Array.isArray(n.__webglFramebuffer))for(let t=0;t<n.__webglFramebuffer.length;t++)e.deleteFramebuffer(n.__webglFramebuffer[t]);else e.deleteFramebuffer(n.__webglFramebuffer);if(n.__webglDepthbuffer&&e.deleteRenderbuffer(n.__webglDepthbuffer),n.__webglMultisampledFramebuffer&&e.deleteFramebuffer(n.__webglMultisampledFramebuffer),n.__webglColorRenderbuffer)for(let t=0;t<n.__webglColorRenderbuffer.length;t++)n.__webglColorRenderbuffer[t]&&e.deleteRenderbuffer(n.__webglColorRenderbuffer[t]);n.__webglDepthRenderbuffer&&e.deleteRenderbuffer(n.__webglDepthRenderbuffer)}let a=t.textures;for(let t=0,n=a.length;t<n;t++){let n=r.get(a[t]);n.__webglTexture&&(e.deleteTexture(n.__webglTexture),o.memory.textures--),r.remove(a[t])}r.remove(t)}let te=0;function P(){te=0}function ne(){return te}function re(e){te=e}function F(){let e=te;return e>=i.maxTextures&&Y(`WebGLTextures: Trying to use `+(e+1)+` texture units while this GPU supports only `+i.maxTextures),te+=1,e}function ie(e){let t=[];return t.push(e.wrapS),t.push(e.wrapT),t.push(e.wrapR||0),t.push(e.magFilter),t.push(e.minFilter),t.push(e.anisotropy),t.push(e.internalFormat),t.push(e.format),t.push(e.type),t.push(e.generateMipmaps),t.push(e.mipmapsAutoUpdate),t.push(e.premultiplyAlpha),t.push(e.flipY),t.push(e.unpackAlignment),t.push(e.colorSpace),t.join()}function ae(t,i){let a=r.get(t);if(t.isVideoTexture&&G(t),t.isRenderTargetTexture===!1&&t.isExternalTexture!==!0&&t.version>0&&a.__version!==t.version){let e=t.image;if(e===null)Y(`WebGLRenderer: Texture marked for update but no image data found.`);else if(e.complete===!1)Y(`WebGLRenderer: Texture marked for update but image is incomplete`);else{fe(a,t,i);return}}else t.isExternalTexture&&(a.__webglTexture=t.sourceTexture?t.sourceTexture:null);n.bindTexture(e.TEXTURE_2D,a.__webglTexture,e.TEXTURE0+i)}function oe(t,i){let a=r.get(t);t.isRenderTargetTexture===!1&&t.version>0&&a.__version!==t.version?fe(a,t,i):(t.isExternalTexture&&(a.__webglTexture=t.sourceTexture?t.sourceTexture:null),n.bindTexture(e.TEXTURE_2D_ARRAY,a.__webglTexture,e.TEXTURE0+i))}function I(t,i){let a=r.get(t);t.isRenderTargetTexture===!1&&t.version>0&&a.__version!==t.version?fe(a,t,i):n.bindTexture(e.TEXTURE_3D,a.__webglTexture,e.TEXTURE0+i)}function se(t,i){let a=r.get(t);t.version>0&&a.__version!==t.version?pe(a,t,i):n.bindTexture(e.TEXTURE_CUBE_MAP,a.__webglTexture,e.TEXTURE0+i)}let ce={[ql]:e.REPEAT,[Jl]:e.CLAMP_TO_EDGE,[Yl]:e.MIRRORED_REPEAT},le={[Xl]:e.NEAREST,[Zl]:e.NEAREST_MIPMAP_NEAREST,[Ql]:e.NEAREST_MIPMAP_LINEAR,[$l]:e.LINEAR,[eu]:e.LINEAR_MIPMAP_NEAREST,[tu]:e.LINEAR_MIPMAP_LINEAR},L={512:e.NEVER,519:e.ALWAYS,513:e.LESS,515:e.LEQUAL,514:e.EQUAL,518:e.GEQUAL,516:e.GREATER,517:e.NOTEQUAL};function R(n,a){if(a.type===1015&&t.has(`OES_texture_float_linear`)===!1&&(a.magFilter===1006||a.magFilter===1007||a.magFilter===1005||a.magFilter===1008||a.minFilter===1006||a.minFilter===1007||a.minFilter===1005||a.minFilter===1008)&&Y(`WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device.`),e.texParameteri(n,e.TEXTURE_WRAP_S,ce[a.wrapS]),e.texParameteri(n,e.TEXTURE_WRAP_T,ce[a.wrapT]),(n===e.TEXTURE_3D||n===e.TEXTURE_2D_ARRAY)&&e.texParameteri(n,e.TEXTURE_WRAP_R,ce[a.wrapR]),e.texParameteri(n,e.TEXTURE_MAG_FILTER,le[a.magFilter]),e.texParameteri(n,e.TEXTURE_MIN_FILTER,le[a.minFilter]),a.compareFunction&&(e.texParameteri(n,e.TEXTURE_COMPARE_MODE,e.COMPARE_REF_TO_TEXTURE),e.texParameteri(n,e.TEXTURE_COMPARE_FUNC,L[a.compareFunction])),t.has(`EXT_texture_filter_anisotropic`)===!0){if(a.magFilter===1003||a.minFilter!==1005&&a.minFilter!==1008||a.type===1015&&t.has(`OES_texture_float_linear`)===!1)return;if(a.anisotropy>1||r.get(a).__currentAnisotropy){let o=t.get(`EXT_texture_filter_anisotropic`);e.texParameterf(n,o.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(a.anisotropy,i.getMaxAnisotropy())),r.get(a).__currentAnisotropy=a.anisotropy}}}function z(t,n){let r=!1;t.__webglInit===void 0&&(t.__webglInit=!0,n.addEventListener(`dispose`,D),T(n));let i=n.source,a=p.get(i);a===void 0&&(a={},p.set(i,a));let s=ie(n);if(s!==t.__cacheKey){a[s]===void 0&&(a[s]={texture:e.createTexture(),usedTimes:0},o.memory.textures++,r=!0),a[s].usedTimes++;let i=a[t.__cacheKey];i!==void 0&&(a[t.__cacheKey].usedTimes--,i.usedTimes===0&&N(n)),t.__cacheKey=s,t.__webglTexture=a[s].texture}return r}function ue(e,t,n){return Math.floor(Math.floor(e/n)/t)}function de(t,r,i,a){let o=t.updateRanges;if(o.length===0)n.texSubImage2D(e.TEXTURE_2D,0,0,0,r.width,r.height,i,a,r.data);else{o.sort((e,t)=>e.start-t.start);let s=0;for(let e=1;e<o.length;e++){let t=o[s],n=o[e],i=t.start+t.count,a=ue(n.start,r.width,4),c=ue(t.start,r.width,4);n.start<=i+1&&a===c&&ue(n.start+n.count-1,r.width,4)===a?t.count=Math.max(t.count,n.start+n.count-t.start):(++s,o[s]=n)}o.length=s+1;let c=n.getParameter(e.UNPACK_ROW_LENGTH),l=n.getParameter(e.UNPACK_SKIP_PIXELS),u=n.getParameter(e.UNPACK_SKIP_ROWS);n.pixelStorei(e.UNPACK_ROW_LENGTH,r.width);for(let t=0,s=o.length;t<s;t++){let s=o[t],c=Math.floor(s.start/4),l=Math.ceil(s.count/4),u=c%r.width,d=Math.floor(c/r.width),f=l;n.pixelStorei(e.UNPACK_SKIP_PIXELS,u),n.pixelStorei(e.UNPACK_SKIP_ROWS,d),n.texSubImage2D(e.TEXTURE_2D,0,u,d,f,1,i,a,r.data)}t.clearUpdateRanges(),n.pixelStorei(e.UNPACK_ROW_LENGTH,c),n.pixelStorei(e.UNPACK_SKIP_PIXELS,l),n.pixelStorei(e.UNPACK_SKIP_ROWS,u)}}function fe(t,o,s){let c=e.TEXTURE_2D;(o.isDataArrayTexture||o.isCompressedArrayTexture)&&(c=e.TEXTURE_2D_ARRAY),o.isData3DTexture&&(c=e.TEXTURE_3D);let l=z(t,o),u=o.source;n.bindTexture(c,t.__webglTexture,e.TEXTURE0+s);let f=r.get(u);if(u.version!==f.__version||l===!0){if(n.activeTexture(e.TEXTURE0+s),!(typeof ImageBitmap<`u`&&o.image instanceof ImageBitmap)){let t=_f.getPrimaries(_f.workingColorSpace),r=o.colorSpace===``?null:_f.getPrimaries(o.colorSpace),i=o.colorSpace===``||t===r?e.NONE:e.BROWSER_DEFAULT_WEBGL;n.pixelStorei(e.UNPACK_FLIP_Y_WEBGL,o.flipY),n.pixelStorei(e.UNPACK_PREMULTIPLY_ALPHA_WEBGL,o.premultiplyAlpha),n.pixelStorei(e.UNPACK_COLORSPACE_CONVERSION_WEBGL,i)}n.pixelStorei(e.UNPACK_ALIGNMENT,o.unpackAlignment);let t=v(o.image,!1,i.maxTextureSize);t=K(o,t);let r=a.convert(o.format,o.colorSpace),p=a.convert(o.type),m=S(o.internalFormat,r,p,o.normalized,o.colorSpace,o.isVideoTexture);R(c,o);let h,g=o.mipmaps,_=o.isVideoTexture!==!0,x=f.__version===void 0||l===!0,T=u.dataReady,E=w(o,t);if(o.isDepthTexture)m=C(o.format===yu,o.type),x&&(_?n.texStorage2D(e.TEXTURE_2D,1,m,t.width,t.height):n.texImage2D(e.TEXTURE_2D,0,m,t.width,t.height,0,r,p,null));else if(o.isDataTexture){if(g.length>0){_&&x&&n.texStorage2D(e.TEXTURE_2D,E,m,g[0].width,g[0].height);for(let t=0,i=g.length;t<i;t++)h=g[t],_?T&&n.texSubImage2D(e.TEXTURE_2D,t,0,0,h.width,h.height,r,p,h.data):n.texImage2D(e.TEXTURE_2D,t,m,h.width,h.height,0,r,p,h.data);o.generateMipmaps=!1}else _?(x&&n.texStorage2D(e.TEXTURE_2D,E,m,t.width,t.height),T&&de(o,t,r,p)):n.texImage2D(e.TEXTURE_2D,0,m,t.width,t.height,0,r,p,t.data)}else if(o.isCompressedTexture){if(o.isCompressedArrayTexture){_&&x&&n.texStorage3D(e.TEXTURE_2D_ARRAY,E,m,g[0].width,g[0].height,t.depth);for(let i=0,a=g.length;i<a;i++)if(h=g[i],o.format!==1023){if(r!==null){if(_){if(T){if(o.layerUpdates.size>0){let t=wv(h.width,h.height,o.format,o.type);for(let a of o.layerUpdates){let o=h.data.subarray(a*t/h.data.BYTES_PER_ELEMENT,(a+1)*t/h.data.BYTES_PER_ELEMENT);n.compressedTexSubImage3D(e.TEXTURE_2D_ARRAY,i,0,0,a,h.width,h.height,1,r,o)}}else n.compressedTexSubImage3D(e.TEXTURE_2D_ARRAY,i,0,0,0,h.width,h.height,t.depth,r,h.data)}}else n.compressedTexImage3D(e.TEXTURE_2D_ARRAY,i,m,h.width,h.height,t.depth,0,h.data,0,0)}else Y(`WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()`)}else _?T&&n.texSubImage3D(e.TEXTURE_2D_ARRAY,i,0,0,0,h.width,h.height,t.depth,r,p,h.data):n.texImage3D(e.TEXTURE_2D_ARRAY,i,m,h.width,h.height,t.depth,0,r,p,h.data);o.layerUpdates.size>0&&o.clearLayerUpdates()}else{_&&x&&n.texStorage2D(e.TEXTURE_2D,E,m,g[0].width,g[0].height);for(let t=0,i=g.length;t<i;t++)h=g[t],o.format===1023?_?T&&n.texSubImage2D(e.TEXTURE_2D,t,0,0,h.width,h.height,r,p,h.data):n.texImage2D(e.TEXTURE_2D,t,m,h.width,h.height,0,r,p,h.data):r===null?Y(`WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()`):_?T&&n.compressedTexSubImage2D(e.TEXTURE_2D,t,0,0,h.width,h.height,r,h.data):n.compressedTexImage2D(e.TEXTURE_2D,t,m,h.width,h.height,0,h.data)}}else if(o.isDataArrayTexture){if(_){if(x&&n.texStorage3D(e.TEXTURE_2D_ARRAY,E,m,t.width,t.height,t.depth),T){if(o.layerUpdates.size>0){let i=wv(t.width,t.height,o.format,o.type);for(let a of o.layerUpdates){let o=t.data.subarray(a*i/t.data.BYTES_PER_ELEMENT,(a+1)*i/t.data.BYTES_PER_ELEMENT);n.texSubImage3D(e.TEXTURE_2D_ARRAY,0,0,0,a,t.width,t.height,1,r,p,o)}o.clearLayerUpdates()}else n.texSubImage3D(e.TEXTURE_2D_ARRAY,0,0,0,0,t.width,t.height,t.depth,r,p,t.data)}}else n.texImage3D(e.TEXTURE_2D_ARRAY,0,m,t.width,t.height,t.depth,0,r,p,t.data)}else if(o.isData3DTexture)_?(x&&n.texStorage3D(e.TEXTURE_3D,E,m,t.width,t.height,t.depth),T&&n.texSubImage3D(e.TEXTURE_3D,0,0,0,0,t.width,t.height,t.depth,r,p,t.data)):n.texImage3D(e.TEXTURE_3D,0,m,t.width,t.height,t.depth,0,r,p,t.data);else if(o.isFramebufferTexture){if(x){if(_)n.texStorage2D(e.TEXTURE_2D,E,m,t.width,t.height);else{let i=t.width,a=t.height;for(let t=0;t<E;t++)n.texImage2D(e.TEXTURE_2D,t,m,i,a,0,r,p,null),i>>=1,a>>=1}}}else if(o.isHTMLTexture){if(`texElementImage2D`in e){let n=e.canvas;if(n.hasAttribute(`layoutsubtree`)||n.setAttribute(`layoutsubtree`,`true`),t.parentNode!==n){n.appendChild(t),d.add(o),n.onpaint=e=>{let t=e.changedElements;for(let e of d)t.includes(e.image)&&(e.needsUpdate=!0)},n.requestPaint();return}if(e.texElementImage2D.length===3)e.texElementImage2D(e.TEXTURE_2D,e.RGBA8,t);else{let n=e.RGBA,r=e.RGBA,i=e.UNSIGNED_BYTE;e.texElementImage2D(e.TEXTURE_2D,0,n,r,i,t)}e.texParameteri(e.TEXTURE_2D,e.TEXTURE_MIN_FILTER,e.LINEAR),e.texParameteri(e.TEXTURE_2D,e.TEXTURE_WRAP_S,e.CLAMP_TO_EDGE),e.texParameteri(e.TEXTURE_2D,e.TEXTURE_WRAP_T,e.CLAMP_TO_EDGE)}}else if(g.length>0){if(_&&x){let t=be(g[0]);n.texStorage2D(e.TEXTURE_2D,E,m,t.width,t.height)}for(let t=0,i=g.length;t<i;t++)h=g[t],_?T&&n.texSubImage2D(e.TEXTURE_2D,t,0,0,r,p,h):n.texImage2D(e.TEXTURE_2D,t,m,r,p,h);o.generateMipmaps=!1}else if(_){if(x){let r=be(t);n.texStorage2D(e.TEXTURE_2D,E,m,r.width,r.height)}T&&n.texSubImage2D(e.TEXTURE_2D,0,0,0,r,p,t)}else n.texImage2D(e.TEXTURE_2D,0,m,r,p,t);y(o)&&o.mipmapsAutoUpdate===!0&&b(c),f.__version=u.version,o.onUpdate&&o.onUpdate(o)}t.__version=o.version}function pe(t,o,s){if(o.image.length!==6)return;let c=z(t,o),l=o.source;n.bindTexture(e.TEXTURE_CUBE_MAP,t.__webglTexture,e.TEXTURE0+s);let u=r.get(l);if(l.version!==u.__version||c===!0){n.activeTexture(e.TEXTURE0+s);let t=_f.getPrimaries(_f.workingColorSpace),r=o.colorSpace===``?null:_f.getPrimaries(o.colorSpace),d=o.colorSpace===``||t===r?e.NONE:e.BROWSER_DEFAULT_WEBGL;n.pixelStorei(e.UNPACK_FLIP_Y_WEBGL,o.flipY),n.pixelStorei(e.UNPACK_PREMULTIPLY_ALPHA_WEBGL,o.premultiplyAlpha),n.pixelStorei(e.UNPACK_ALIGNMENT,o.unpackAlignment),n.pixelStorei(e.UNPACK_COLORSPACE_CONVERSION_WEBGL,d);let f=o.isCompressedTexture||o.image[0].isCompressedTexture,p=o.image[0]&&o.image[0].isDataTexture,m=[];for(let e=0;e<6;e++)!f&&!p?m[e]=v(o.image[e],!0,i.maxCubemapSize):m[e]=p?o.image[e].image:o.image[e],m[e]=K(o,m[e]);let h=m[0],g=a.convert(o.format,o.colorSpace),_=a.convert(o.type),x=S(o.internalFormat,g,_,o.normalized,o.colorSpace),T=o.isVideoTexture!==!0,E=u.__version===void 0||c===!0,D=l.dataReady,O=w(o,h);R(e.TEXTURE_CUBE_MAP,o);let k;if(o.isDepthTexture){if(x=C(o.format===yu,o.type),E){if(T)n.texStorage2D(e.TEXTURE_CUBE_MAP,1,x,h.width,h.height);else for(let t=0;t<6;t++)n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,x,h.width,h.height,0,g,_,null)}}else if(f){T&&E&&n.texStorage2D(e.TEXTURE_CUBE_MAP,O,x,h.width,h.height);for(let t=0;t<6;t++){k=m[t].mipmaps;for(let r=0;r<k.length;r++){let i=k[r];o.format===1023?T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,0,0,i.width,i.height,g,_,i.data):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,x,i.width,i.height,0,g,_,i.data):g===null?Y(`WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()`):T?D&&n.compressedTexSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,0,0,i.width,i.height,g,i.data):n.compressedTexImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,x,i.width,i.height,0,i.data)}}}else{if(k=o.mipmaps,T&&E){k.length>0&&O++;let t=be(m[0]);n.texStorage2D(e.TEXTURE_CUBE_MAP,O,x,t.width,t.height)}for(let t=0;t<6;t++)if(p){T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,0,0,m[t].width,m[t].height,g,_,m[t].data):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,x,m[t].width,m[t].height,0,g,_,m[t].data);for(let r=0;r<k.length;r++){let i=k[r].image[t].image;T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,0,0,i.width,i.height,g,_,i.data):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,x,i.width,i.height,0,g,_,i.data)}}else{T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,0,0,g,_,m[t]):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,x,g,_,m[t]);for(let r=0;r<k.length;r++){let i=k[r];T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,0,0,g,_,i.image[t]):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,x,g,_,i.image[t])}}}y(o)&&o.mipmapsAutoUpdate===!0&&b(e.TEXTURE_CUBE_MAP),u.__version=l.version,o.onUpdate&&o.onUpdate(o)}t.__version=o.version}function me(t,i,o,c,l,u){let d=a.convert(o.format,o.colorSpace),f=a.convert(o.type),p=S(o.internalFormat,d,f,o.normalized,o.colorSpace),m=r.get(i),h=r.get(o);if(h.__renderTarget=i,!m.__hasExternalTextures){let t=Math.max(1,i.width>>u),r=Math.max(1,i.height>>u);l===e.TEXTURE_3D||l===e.TEXTURE_2D_ARRAY?n.texImage3D(l,u,p,t,r,i.depth,0,d,f,null):n.texImage2D(l,u,p,t,r,0,d,f,null)}n.bindFramebuffer(e.FRAMEBUFFER,t),ye(i)?s.framebufferTexture2DMultisampleEXT(e.FRAMEBUFFER,c,l,h.__webglTexture,0,W(i)):(l===e.TEXTURE_2D||l>=e.TEXTURE_CUBE_MAP_POSITIVE_X&&l<=e.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&e.framebufferTexture2D(e.FRAMEBUFFER,c,l,h.__webglTexture,u),n.bindFramebuffer(e.FRAMEBUFFER,null)}function he(t,n,r){if(e.bindRenderbuffer(e.RENDERBUFFER,t),n.depthBuffer){let i=n.depthTexture,a=i&&i.isDepthTexture?i.type:null,o=C(n.stencilBuffer,a),c=n.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT;ye(n)?s.renderbufferStorageMultisampleEXT(e.RENDERBUFFER,W(n),o,n.width,n.height):r?e.renderbufferStorageMultisample(e.RENDERBUFFER,W(n),o,n.width,n.height):e.renderbufferStorage(e.RENDERBUFFER,o,n.width,n.height),e.framebufferRenderbuffer(e.FRAMEBUFFER,c,e.RENDERBUFFER,t)}else{let t=n.textures;for(let i=0;i<t.length;i++){let o=t[i],c=a.convert(o.format,o.colorSpace),l=a.convert(o.type),u=S(o.internalFormat,c,l,o.normalized,o.colorSpace);ye(n)?s.renderbufferStorageMultisampleEXT(e.RENDERBUFFER,W(n),u,n.width,n.height):r?e.renderbufferStorageMultisample(e.RENDERBUFFER,W(n),u,n.width,n.height):e.renderbufferStorage(e.RENDERBUFFER,u,n.width,n.height)}}e.bindRenderbuffer(e.RENDERBUFFER,null)}function ge(t,i,a){let o=i.isWebGLCubeRenderTarget===!0;if(n.bindFramebuffer(e.FRAMEBUFFER,t),!(i.depthTexture&&i.depthTexture.isDepthTexture))throw Error(`THREE.WebGLTextures: renderTarget.depthTexture must be an instance of THREE.DepthTexture.`);let c=r.get(i.depthTexture);c.__renderTarget=i;let l=o?i.depthTexture.image[0]:i.depthTexture.image;c.__webglTexture&&l.width===i.width&&l.height===i.height||(l.width=i.width,l.height=i.height,i.depthTexture.needsUpdate=!0),o?se(i.depthTexture,0):ae(i.depthTexture,0);let u=c.__webglTexture,d=W(i),f=o?e.TEXTURE_CUBE_MAP_POSITIVE_X+a:e.TEXTURE_2D,p=i.depthTexture.format===1027?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT;if(i.depthTexture.format===1026)ye(i)?s.framebufferTexture2DMultisampleEXT(e.FRAMEBUFFER,p,f,u,0,d):e.framebufferTexture2D(e.FRAMEBUFFER,p,f,u,0);else if(i.depthTexture.format===1027)ye(i)?s.framebufferTexture2DMultisampleEXT(e.FRAMEBUFFER,p,f,u,0,d):e.framebufferTexture2D(e.FRAMEBUFFER,p,f,u,0);else throw Error(`THREE.WebGLTextures: Unknown depthTexture format.`)}function _e(t){let i=r.get(t),a=t.isWebGLCubeRenderTarget===!0;if(i.__boundDepthTexture!==t.depthTexture){let e=t.depthTexture;if(i.__depthDisposeCallback&&i.__depthDisposeCallback(),e){let t=()=>{delete i.__boundDepthTexture,delete i.__depthDisposeCallback,e.removeEventListener(`dispose`,t)};e.addEventListener(`dispose`,t),i.__depthDisposeCallback=t}i.__boundDepthTexture=e}if(t.depthTexture&&!i.__autoAllocateDepthBuffer){if(a)for(let e=0;e<6;e++)ge(i.__webglFramebuffer[e],t,e);else t.texture.mipmaps.length>0?ge(i.__webglFramebuffer[0],t,0):ge(i.__webglFramebuffer,t,0)}else if(a){i.__webglDepthbuffer=[];for(let r=0;r<6;r++)if(n.bindFramebuffer(e.FRAMEBUFFER,i.__webglFramebuffer[r]),i.__webglDepthbuffer[r]===void 0)i.__webglDepthbuffer[r]=e.createRenderbuffer(),he(i.__webglDepthbuffer[r],t,!1);else{let n=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT,a=i.__webglDepthbuffer[r];e.bindRenderbuffer(e.RENDERBUFFER,a),e.framebufferRenderbuffer(e.FRAMEBUFFER,n,e.RENDERBUFFER,a)}}else if(t.texture.mipmaps.length>0?n.bindFramebuffer(e.FRAMEBUFFER,i.__webglFramebuffer[0]):n.bindFramebuffer(e.FRAMEBUFFER,i.__webglFramebuffer),i.__webglDepthbuffer===void 0)i.__webglDepthbuffer=e.createRenderbuffer(),he(i.__webglDepthbuffer,t,!1);else{let n=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT,r=i.__webglDepthbuffer;e.bindRenderbuffer(e.RENDERBUFFER,r),e.framebufferRenderbuffer(e.FRAMEBUFFER,n,e.RENDERBUFFER,r)}n.bindFramebuffer(e.FRAMEBUFFER,null)}function ve(t,n,i){let a=r.get(t);n!==void 0&&me(a.__webglFramebuffer,t,t.texture,e.COLOR_ATTACHMENT0,e.TEXTURE_2D,0),i!==void 0&&_e(t)}function B(t){let i=t.texture,s=r.get(t),c=r.get(i);t.addEventListener(`dispose`,O),T(t);let l=t.textures,u=t.isWebGLCubeRenderTarget===!0,d=l.length>1;if(d||(c.__webglTexture===void 0&&(c.__webglTexture=e.createTexture()),c.__version=i.version,o.memory.textures++),u){s.__webglFramebuffer=[];for(let t=0;t<6;t++)if(i.mipmaps.length>0){s.__webglFramebuffer[t]=[];for(let n=0;n<i.mipmaps.length;n++)s.__webglFramebuffer[t][n]=e.createFramebuffer()}else s.__webglFramebuffer[t]=e.createFramebuffer()}else{if(i.mipmaps.length>0){s.__webglFramebuffer=[];for(let t=0;t<i.mipmaps.length;t++)s.__webglFramebuffer[t]=e.createFramebuffer()}else s.__webglFramebuffer=e.createFramebuffer();if(d)for(let t=0,n=l.length;t<n;t++){let n=r.get(l[t]);n.__webglTexture===void 0&&(n.__webglTexture=e.createTexture(),o.memory.textures++)}if(t.samples>0&&ye(t)===!1){s.__webglMultisampledFramebuffer=e.createFramebuffer(),s.__webglColorRenderbuffer=[],n.bindFramebuffer(e.FRAMEBUFFER,s.__webglMultisampledFramebuffer);for(let n=0;n<l.length;n++){let r=l[n];s.__webglColorRenderbuffer[n]=e.createRenderbuffer(),e.bindRenderbuffer(e.RENDERBUFFER,s.__webglColorRenderbuffer[n]);let i=a.convert(r.format,r.colorSpace),o=a.convert(r.type),c=S(r.internalFormat,i,o,r.normalized,r.colorSpace,t.isXRRenderTarget===!0),u=W(t);e.renderbufferStorageMultisample(e.RENDERBUFFER,u,c,t.width,t.height),e.framebufferRenderbuffer(e.FRAMEBUFFER,e.COLOR_ATTACHMENT0+n,e.RENDERBUFFER,s.__webglColorRenderbuffer[n])}e.bindRenderbuffer(e.RENDERBUFFER,null),t.depthBuffer&&(s.__webglDepthRenderbuffer=e.createRenderbuffer(),he(s.__webglDepthRenderbuffer,t,!0)),n.bindFramebuffer(e.FRAMEBUFFER,null)}}if(u){n.bindTexture(e.TEXTURE_CUBE_MAP,c.__webglTexture),R(e.TEXTURE_CUBE_MAP,i);for(let n=0;n<6;n++)if(i.mipmaps.length>0)for(let r=0;r<i.mipmaps.length;r++)me(s.__webglFramebuffer[n][r],t,i,e.COLOR_ATTACHMENT0,e.TEXTURE_CUBE_MAP_POSITIVE_X+n,r);else me(s.__webglFramebuffer[n],t,i,e.COLOR_ATTACHMENT0,e.TEXTURE_CUBE_MAP_POSITIVE_X+n,0);y(i)?b(e.TEXTURE_CUBE_MAP):i.mipmaps.length>0&&e.texParameteri(e.TEXTURE_CUBE_MAP,e.TEXTURE_MAX_LEVEL,i.mipmaps.length-1),n.unbindTexture()}else if(d){for(let i=0,a=l.length;i<a;i++){let a=l[i],o=r.get(a),c=e.TEXTURE_2D;(t.isWebGL3DRenderTarget||t.isWebGLArrayRenderTarget)&&(c=t.isWebGL3DRenderTarget?e.TEXTURE_3D:e.TEXTURE_2D_ARRAY),n.bindTexture(c,o.__webglTexture),R(c,a),me(s.__webglFramebuffer,t,a,e.COLOR_ATTACHMENT0+i,c,0),y(a)&&b(c)}n.unbindTexture()}else{let r=e.TEXTURE_2D;if((t.isWebGL3DRenderTarget||t.isWebGLArrayRenderTarget)&&(r=t.isWebGL3DRenderTarget?e.TEXTURE_3D:e.TEXTURE_2D_ARRAY),n.bindTexture(r,c.__webglTexture),R(r,i),i.mipmaps.length>0)for(let n=0;n<i.mipmaps.length;n++)me(s.__webglFramebuffer[n],t,i,e.COLOR_ATTACHMENT0,r,n);else me(s.__webglFramebuffer,t,i,e.COLOR_ATTACHMENT0,r,0);y(i)?b(r):i.mipmaps.length>0&&e.texParameteri(r,e.TEXTURE_MAX_LEVEL,i.mipmaps.length-1),n.unbindTexture()}t.depthBuffer&&_e(t)}function V(e){let t=e.textures;for(let i=0,a=t.length;i<a;i++){let a=t[i];if(y(a)&&a.mipmapsAutoUpdate===!0){let t=x(e),i=r.get(a).__webglTexture;n.bindTexture(t,i),b(t),n.unbindTexture()}}}let H=[];function U(t){if(t.samples>0){if(ye(t)===!1){let i=t.textures,a=t.width,o=t.height,s=e.COLOR_BUFFER_BIT,l=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT,u=r.get(t),d=i.length>1;if(d)for(let t=0;t<i.length;t++)n.bindFramebuffer(e.FRAMEBUFFER,u.__webglMultisampledFramebuffer),e.framebufferRenderbuffer(e.FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.RENDERBUFFER,null),n.bindFramebuffer(e.FRAMEBUFFER,u.__webglFramebuffer),e.framebufferTexture2D(e.DRAW_FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.TEXTURE_2D,null,0);n.bindFramebuffer(e.READ_FRAMEBUFFER,u.__webglMultisampledFramebuffer),t.texture.mipmaps.length>0?n.bindFramebuffer(e.DRAW_FRAMEBUFFER,u.__webglFramebuffer[0]):n.bindFramebuffer(e.DRAW_FRAMEBUFFER,u.__webglFramebuffer);for(let n=0;n<i.length;n++){if(t.resolveDepthBuffer&&(t.depthBuffer&&(s|=e.DEPTH_BUFFER_BIT),t.stencilBuffer&&t.resolveStencilBuffer&&(s|=e.STENCIL_BUFFER_BIT)),d){e.framebufferRenderbuffer(e.READ_FRAMEBUFFER,e.COLOR_ATTACHMENT0,e.RENDERBUFFER,u.__webglColorRenderbuffer[n]);let t=r.get(i[n]).__webglTexture;e.framebufferTexture2D(e.DRAW_FRAMEBUFFER,e.COLOR_ATTACHMENT0,e.TEXTURE_2D,t,0)}e.blitFramebuffer(0,0,a,o,0,0,a,o,s,e.NEAREST),c===!0&&(H.length=0,H.push(e.COLOR_ATTACHMENT0+n),t.depthBuffer&&t.storeMultisampledDepthBuffer===!1&&H.push(l),e.invalidateFramebuffer(e.READ_FRAMEBUFFER,H))}if(n.bindFramebuffer(e.READ_FRAMEBUFFER,null),n.bindFramebuffer(e.DRAW_FRAMEBUFFER,null),d)for(let t=0;t<i.length;t++){n.bindFramebuffer(e.FRAMEBUFFER,u.__webglMultisampledFramebuffer),e.framebufferRenderbuffer(e.FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.RENDERBUFFER,u.__webglColorRenderbuffer[t]);let a=r.get(i[t]).__webglTexture;n.bindFramebuffer(e.FRAMEBUFFER,u.__webglFramebuffer),e.framebufferTexture2D(e.DRAW_FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.TEXTURE_2D,a,0)}n.bindFramebuffer(e.DRAW_FRAMEBUFFER,u.__webglMultisampledFramebuffer)}else if(t.depthBuffer&&t.storeMultisampledDepthBuffer===!1&&c){let n=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT;e.invalidateFramebuffer(e.DRAW_FRAMEBUFFER,[n])}}}function W(e){return Math.min(i.maxSamples,e.samples)}function ye(e){let n=r.get(e);return e.samples>0&&t.has(`WEBGL_multisampled_render_to_texture`)===!0&&n.__useRenderToTexture!==!1}function G(e){let t=o.render.frame;u.get(e)!==t&&(u.set(e,t),e.update())}function K(e,t){let n=e.colorSpace,r=e.format,i=e.type;return e.isCompressedTexture===!0||e.isVideoTexture===!0||n!==`srgb-linear`&&n!==``&&(_f.getTransfer(n)===`srgb`?(r!==1023||i!==1009)&&Y(`WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType.`):kd(`WebGLTextures: Unsupported texture color space:`,n)),t}function be(e){return typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement?(l.width=e.naturalWidth||e.width,l.height=e.naturalHeight||e.height):typeof VideoFrame<`u`&&e instanceof VideoFrame?(l.width=e.displayWidth,l.height=e.displayHeight):(l.width=e.width,l.height=e.height),l}this.allocateTextureUnit=F,this.resetTextureUnits=P,this.getTextureUnits=ne,this.setTextureUnits=re,this.setTexture2D=ae,this.setTexture2DArray=oe,this.setTexture3D=I,this.setTextureCube=se,this.rebindTextures=ve,this.setupRenderTarget=B,this.updateRenderTargetMipmap=V,this.updateMultisampleRenderTarget=U,this.setupDepthRenderbuffer=_e,this.setupFrameBufferTexture=me,this.useMultisampledRTT=ye,this.dispose=j}function wx(e,t){function n(n,r=``){let i,a=_f.getTransfer(r);if(n===1009)return e.UNSIGNED_BYTE;if(n===1017)return e.UNSIGNED_SHORT_4_4_4_4;if(n===1018)return e.UNSIGNED_SHORT_5_5_5_1;if(n===35902)return e.UNSIGNED_INT_5_9_9_9_REV;if(n===35899)return e.UNSIGNED_INT_10F_11F_11F_REV;if(n===1010)return e.BYTE;if(n===1011)return e.SHORT;if(n===1012)return e.UNSIGNED_SHORT;if(n===1013)return e.INT;if(n===1014)return e.UNSIGNED_INT;if(n===1015)return e.FLOAT;if(n===1016)return e.HALF_FLOAT;if(n===1021)return e.ALPHA;if(n===1022)return e.RGB;if(n===1023)return e.RGBA;if(n===1026)return e.DEPTH_COMPONENT;if(n===1027)return e.DEPTH_STENCIL;if(n===1028)return e.RED;if(n===1029)return e.RED_INTEGER;if(n===1030)return e.RG;if(n===1031)return e.RG_INTEGER;if(n===1033)return e.RGBA_INTEGER;if(n===33776||n===33777||n===33778||n===33779){if(a===`srgb`){if(i=t.get(`WEBGL_compressed_texture_s3tc_srgb`),i!==null){if(n===33776)return i.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===33777)return i.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===33778)return i.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===33779)return i.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null}else if(i=t.get(`WEBGL_compressed_texture_s3tc`),i!==null){if(n===33776)return i.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===33777)return i.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===33778)return i.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===33779)return i.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null}if(n===35840||n===35841||n===35842||n===35843){if(i=t.get(`WEBGL_compressed_texture_pvrtc`),i!==null){if(n===35840)return i.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===35841)return i.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===35842)return i.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===35843)return i.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null}if(n===36196||n===37492||n===37496||n===37488||n===37489||n===37490||n===37491){if(i=t.get(`WEBGL_compressed_texture_etc`),i!==null){if(n===36196||n===37492)return a===`srgb`?i.COMPRESSED_SRGB8_ETC2:i.COMPRESSED_RGB8_ETC2;if(n===37496)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:i.COMPRESSED_RGBA8_ETC2_EAC;if(n===37488)return i.COMPRESSED_R11_EAC;if(n===37489)return i.COMPRESSED_SIGNED_R11_EAC;if(n===37490)return i.COMPRESSED_RG11_EAC;if(n===37491)return i.COMPRESSED_SIGNED_RG11_EAC}else return null}if(n===37808||n===37809||n===37810||n===37811||n===37812||n===37813||n===37814||n===37815||n===37816||n===37817||n===37818||n===37819||n===37820||n===37821){if(i=t.get(`WEBGL_compressed_texture_astc`),i!==null){if(n===37808)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:i.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===37809)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:i.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===37810)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:i.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===37811)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:i.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===37812)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:i.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===37813)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:i.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===37814)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:i.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===37815)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:i.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===37816)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:i.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===37817)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:i.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===37818)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:i.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===37819)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:i.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===37820)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:i.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===37821)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:i.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null}if(n===36492||n===36494||n===36495){if(i=t.get(`EXT_texture_compression_bptc`),i!==null){if(n===36492)return a===`srgb`?i.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:i.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===36494)return i.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===36495)return i.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null}if(n===36283||n===36284||n===36285||n===36286){if(i=t.get(`EXT_texture_compression_rgtc`),i!==null){if(n===36283)return i.COMPRESSED_RED_RGTC1_EXT;if(n===36284)return i.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===36285)return i.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===36286)return i.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null}return n===1020?e.UNSIGNED_INT_24_8:e[n]===void 0?null:e[n]}return{convert:n}}var Tx=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,Ex=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`,Dx=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(e,t){if(this.texture===null){let n=new _h(e.texture);(e.depthNear!==t.depthNear||e.depthFar!==t.depthFar)&&(this.depthNear=e.depthNear,this.depthFar=e.depthFar),this.texture=n}}getMesh(e){if(this.texture!==null&&this.mesh===null){let t=e.cameras[0].viewport,n=new t_({vertexShader:Tx,fragmentShader:Ex,uniforms:{depthColor:{value:this.texture},depthWidth:{value:t.z},depthHeight:{value:t.w}}});this.mesh=new Rm(new Bg(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},Ox=class extends Nd{constructor(e,t){super();let n=this,r=null,i=1,a=null,o=`local-floor`,s=1,c=null,l=null,u=null,d=null,f=null,p=null,m=typeof XRWebGLBinding<`u`,h=new Dx,g={},_=t.getContextAttributes(),v=null,y=null,b=[],x=[],S=new X,C=null,w=null,T=new B_;T.viewport=new Of;let E=new B_;E.viewport=new Of;let D=[T,E],O=new J_,k=null,A=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(e){let t=b[e];return t===void 0&&(t=new lp,b[e]=t),t.getTargetRaySpace()},this.getControllerGrip=function(e){let t=b[e];return t===void 0&&(t=new lp,b[e]=t),t.getGripSpace()},this.getHand=function(e){let t=b[e];return t===void 0&&(t=new lp,b[e]=t),t.getHandSpace()};function j(e){let t=x.indexOf(e.inputSource);if(t===-1)return;let n=b[t];n!==void 0&&(n.update(e.inputSource,e.frame,c||a),n.dispatchEvent({type:e.type,data:e.inputSource}))}function M(){r.removeEventListener(`select`,j),r.removeEventListener(`selectstart`,j),r.removeEventListener(`selectend`,j),r.removeEventListener(`squeeze`,j),r.removeEventListener(`squeezestart`,j),r.removeEventListener(`squeezeend`,j),r.removeEventListener(`end`,M),r.removeEventListener(`inputsourceschange`,N);for(let e=0;e<b.length;e++){let t=x[e];t!==null&&(x[e]=null,b[e].disconnect(t))}k=null,A=null,h.reset();for(let e in g)delete g[e];if(e.setRenderTarget(v),f=null,d=null,u=null,r=null,y=null,re.stop(),n.isPresenting=!1,e.setPixelRatio(C),e.setSize(S.width,S.height,!1),w!==null){let e=w.camera;e.fov=w.fov,e.zoom=w.zoom,e.updateProjectionMatrix(),w=null}n.dispatchEvent({type:`sessionend`})}this.setFramebufferScaleFactor=function(e){i=e,n.isPresenting===!0&&Y(`WebXRManager: Cannot change framebuffer scale while presenting.`)},this.setReferenceSpaceType=function(e){o=e,n.isPresenting===!0&&Y(`WebXRManager: Cannot change reference space type while presenting.`)},this.getReferenceSpace=function(){return c||a},this.setReferenceSpace=function(e){c=e},this.getBaseLayer=function(){return d===null?f:d},this.getBinding=function(){return u===null&&m&&(u=new XRWebGLBinding(r,t)),u},this.getFrame=function(){return p},this.getSession=function(){return r},this.setSession=async function(l){if(r=l,r!==null){if(v=e.getRenderTarget(),r.addEventListener(`select`,j),r.addEventListener(`selectstart`,j),r.addEventListener(`selectend`,j),r.addEventListener(`squeeze`,j),r.addEventListener(`squeezestart`,j),r.addEventListener(`squeezeend`,j),r.addEventListener(`end`,M),r.addEventListener(`inputsourceschange`,N),_.xrCompatible!==!0&&await t.makeXRCompatible(),C=e.getPixelRatio(),e.getSize(S),m&&`createProjectionLayer`in XRWebGLBinding.prototype){let n=null,a=null,o=null;_.depth&&(o=_.stencil?t.DEPTH24_STENCIL8:t.DEPTH_COMPONENT24,n=_.stencil?yu:vu,a=_.stencil?fu:su);let s={colorFormat:t.RGBA8,depthFormat:o,scaleFactor:i};u=this.getBinding(),d=u.createProjectionLayer(s),r.updateRenderState({layers:[d]}),e.setPixelRatio(1),e.setSize(d.textureWidth,d.textureHeight,!1),y=new Af(d.textureWidth,d.textureHeight,{format:_u,type:nu,depthTexture:new hh(d.textureWidth,d.textureHeight,a,void 0,void 0,void 0,void 0,void 0,void 0,n),stencilBuffer:_.stencil,colorSpace:e.outputColorSpace,samples:_.antialias?4:0,resolveDepthBuffer:d.ignoreDepthValues===!1,resolveStencilBuffer:d.ignoreDepthValues===!1,storeMultisampledDepthBuffer:d.ignoreDepthValues===!1,storeMultisampledStencilBuffer:d.ignoreDepthValues===!1})}else{let n={antialias:_.antialias,alpha:!0,depth:_.depth,stencil:_.stencil,framebufferScaleFactor:i};f=new XRWebGLLayer(r,t,n),r.updateRenderState({baseLayer:f}),e.setPixelRatio(1),e.setSize(f.framebufferWidth,f.framebufferHeight,!1),y=new Af(f.framebufferWidth,f.framebufferHeight,{format:_u,type:nu,colorSpace:e.outputColorSpace,stencilBuffer:_.stencil,resolveDepthBuffer:f.ignoreDepthValues===!1,resolveStencilBuffer:f.ignoreDepthValues===!1,storeMultisampledDepthBuffer:f.ignoreDepthValues===!1,storeMultisampledStencilBuffer:f.ignoreDepthValues===!1})}y.isXRRenderTarget=!0,this.setFoveation(s),c=null,a=await r.requestReferenceSpace(o),re.setContext(r),re.start(),n.isPresenting=!0,n.dispatchEvent({type:`sessionstart`})}},this.getEnvironmentBlendMode=function(){if(r!==null)return r.environmentBlendMode},this.getDepthTexture=function(){return h.getDepthTexture()};function N(e){for(let t=0;t<e.removed.length;t++){let n=e.removed[t],r=x.indexOf(n);r>=0&&(x[r]=null,b[r].disconnect(n))}for(let t=0;t<e.added.length;t++){let n=e.added[t],r=x.indexOf(n);if(r===-1){for(let e=0;e<b.length;e++)if(e>=x.length){x.push(n),r=e;break}else if(x[e]===null){x[e]=n,r=e;break}if(r===-1)break}let i=b[r];i&&i.connect(n)}}function ee(e,t){t===null?e.matrixWorld.copy(e.matrix):e.matrixWorld.multiplyMatrices(t.matrixWorld,e.matrix),e.matrixWorldInverse.copy(e.matrixWorld).invert()}this.updateCamera=function(e){if(r===null)return;let t=e.near,n=e.far;h.texture!==null&&(h.depthNear>0&&(t=h.depthNear),h.depthFar>0&&(n=h.depthFar)),O.near=E.near=T.near=t,O.far=E.far=T.far=n,(k!==O.near||A!==O.far)&&(r.updateRenderState({depthNear:O.near,depthFar:O.far}),k=O.near,A=O.far),O.layers.mask=e.layers.mask|6,T.layers.mask=O.layers.mask&-5,E.layers.mask=O.layers.mask&-3;let i=e.parent,a=O.cameras;ee(O,i);for(let e=0;e<a.length;e++)ee(a[e],i);O.projectionMatrix.copy(T.projectionMatrix),O.projectionMatrixInverse.copy(T.projectionMatrixInverse),w===null&&e.isPerspectiveCamera&&(w={camera:e,fov:e.fov,zoom:e.zoom}),te(e,O,i)};function te(e,t,n){n===null?e.matrix.copy(t.matrixWorld):(e.matrix.copy(n.matrixWorld),e.matrix.invert(),e.matrix.multiply(t.matrixWorld)),e.matrix.decompose(e.position,e.quaternion,e.scale),e.updateMatrixWorld(!0),e.projectionMatrix.copy(t.projectionMatrix),e.projectionMatrixInverse.copy(t.projectionMatrixInverse),e.isPerspectiveCamera&&(e.fov=Ld*2*Math.atan(1/e.projectionMatrix.elements[5]),e.zoom=1)}this.getCamera=function(){return O},this.getFoveation=function(){if(d!==null||f!==null)return s},this.setFoveation=function(e){s=e,d!==null&&(d.fixedFoveation=e),f!==null&&f.fixedFoveation!==void 0&&(f.fixedFoveation=e)},this.hasDepthSensing=function(){return h.texture!==null},this.getDepthSensingMesh=function(){return h.getMesh(O)},this.getCameraTexture=function(e){return g[e]};let P=null;function ne(t,i){if(l=i.getViewerPose(c||a),p=i,l!==null){let t=l.views;f!==null&&(e.setRenderTargetFramebuffer(y,f.framebuffer),e.setRenderTarget(y));let i=!1;t.length!==O.cameras.length&&(O.cameras.length=0,i=!0);for(let n=0;n<t.length;n++){let r=t[n],a=null;if(f!==null)a=f.getViewport(r);else{let t=u.getViewSubImage(d,r);a=t.viewport,n===0&&(e.setRenderTargetTextures(y,t.colorTexture,t.depthStencilTexture),e.setRenderTarget(y))}let o=D[n];o===void 0&&(o=new B_,o.layers.enable(n),o.viewport=new Of,D[n]=o),o.matrix.fromArray(r.transform.matrix),o.matrix.decompose(o.position,o.quaternion,o.scale),o.projectionMatrix.fromArray(r.projectionMatrix),o.projectionMatrixInverse.copy(o.projectionMatrix).invert(),o.viewport.set(a.x,a.y,a.width,a.height),n===0&&(O.matrix.copy(o.matrix),O.matrix.decompose(O.position,O.quaternion,O.scale)),i===!0&&O.cameras.push(o)}let a=r.enabledFeatures;if(a&&a.includes(`depth-sensing`)&&r.depthUsage==`gpu-optimized`&&m){u=n.getBinding();let e=u.getDepthInformation(t[0]);e&&e.isValid&&e.texture&&h.init(e,r.renderState)}if(a&&a.includes(`camera-access`)&&m){e.state.unbindTexture(),u=n.getBinding();for(let e=0;e<t.length;e++){let n=t[e].camera;if(n){let e=g[n];e||(e=new _h,g[n]=e);let t=u.getCameraImage(n);e.sourceTexture=t}}}}for(let e=0;e<b.length;e++){let t=x[e],n=b[e];t!==null&&n!==void 0&&n.update(t,i,c||a)}P&&P(t,i),i.detectedPlanes&&n.dispatchEvent({type:`planesdetected`,data:i}),p=null}let re=new Ev;re.setAnimationLoop(ne),this.setAnimationLoop=function(e){P=e},this.dispose=function(){}}},kx=new Nf,Ax=new ff;Ax.set(-1,0,0,0,1,0,0,0,1);function jx(e,t){function n(e,t){e.matrixAutoUpdate===!0&&e.updateMatrix(),t.value.copy(e.matrix)}function r(t,n){n.color.getRGB(t.fogColor.value,Zg(e)),n.isFog?(t.fogNear.value=n.near,t.fogFar.value=n.far):n.isFogExp2&&(t.fogDensity.value=n.density)}function i(e,t,n,r,i){t.isNodeMaterial?t.uniformsNeedUpdate=!1:t.isMeshBasicMaterial?a(e,t):t.isMeshLambertMaterial?(a(e,t),t.envMap&&(e.envMapIntensity.value=t.envMapIntensity)):t.isMeshToonMaterial?(a(e,t),d(e,t)):t.isMeshPhongMaterial?(a(e,t),u(e,t),t.envMap&&(e.envMapIntensity.value=t.envMapIntensity)):t.isMeshStandardMaterial?(a(e,t),f(e,t),t.isMeshPhysicalMaterial&&p(e,t,i)):t.isMeshMatcapMaterial?(a(e,t),m(e,t)):t.isMeshDepthMaterial?a(e,t):t.isMeshDistanceMaterial?(a(e,t),h(e,t)):t.isMeshNormalMaterial?a(e,t):t.isLineBasicMaterial?(o(e,t),t.isLineDashedMaterial&&s(e,t)):t.isPointsMaterial?c(e,t,n,r):t.isSpriteMaterial?l(e,t):t.isShadowMaterial?(e.color.value.copy(t.color),e.opacity.value=t.opacity):t.isShaderMaterial&&(t.uniformsNeedUpdate=!1)}function a(e,r){e.opacity.value=r.opacity,r.color&&e.diffuse.value.copy(r.color),r.emissive&&e.emissive.value.copy(r.emissive).multiplyScalar(r.emissiveIntensity),r.map&&(e.map.value=r.map,n(r.map,e.mapTransform)),r.alphaMap&&(e.alphaMap.value=r.alphaMap,n(r.alphaMap,e.alphaMapTransform)),r.bumpMap&&(e.bumpMap.value=r.bumpMap,n(r.bumpMap,e.bumpMapTransform),e.bumpScale.value=r.bumpScale,r.side===1&&(e.bumpScale.value*=-1)),r.normalMap&&(e.normalMap.value=r.normalMap,n(r.normalMap,e.normalMapTransform),e.normalScale.value.copy(r.normalScale),r.side===1&&e.normalScale.value.negate()),r.displacementMap&&(e.displacementMap.value=r.displacementMap,n(r.displacementMap,e.displacementMapTransform),e.displacementScale.value=r.displacementScale,e.displacementBias.value=r.displacementBias),r.emissiveMap&&(e.emissiveMap.value=r.emissiveMap,n(r.emissiveMap,e.emissiveMapTransform)),r.specularMap&&(e.specularMap.value=r.specularMap,n(r.specularMap,e.specularMapTransform)),r.alphaTest>0&&(e.alphaTest.value=r.alphaTest);let i=t.get(r),a=i.envMap,o=i.envMapRotation;a&&(e.envMap.value=a,e.envMapRotation.value.setFromMatrix4(kx.makeRotationFromEuler(o)).transpose(),a.isCubeTexture&&a.isRenderTargetTexture===!1&&e.envMapRotation.value.premultiply(Ax),e.reflectivity.value=r.reflectivity,e.ior.value=r.ior,e.refractionRatio.value=r.refractionRatio),r.lightMap&&(e.lightMap.value=r.lightMap,e.lightMapIntensity.value=r.lightMapIntensity,n(r.lightMap,e.lightMapTransform)),r.aoMap&&(e.aoMap.value=r.aoMap,e.aoMapIntensity.value=r.aoMapIntensity,n(r.aoMap,e.aoMapTransform))}function o(e,t){e.diffuse.value.copy(t.color),e.opacity.value=t.opacity,t.map&&(e.map.value=t.map,n(t.map,e.mapTransform))}function s(e,t){e.dashSize.value=t.dashSize,e.totalSize.value=t.dashSize+t.gapSize,e.scale.value=t.scale}function c(e,t,r,i){e.diffuse.value.copy(t.color),e.opacity.value=t.opacity,e.size.value=t.size*r,e.scale.value=i*.5,t.map&&(e.map.value=t.map,n(t.map,e.uvTransform)),t.alphaMap&&(e.alphaMap.value=t.alphaMap,n(t.alphaMap,e.alphaMapTransform)),t.alphaTest>0&&(e.alphaTest.value=t.alphaTest)}function l(e,t){e.diffuse.value.copy(t.color),e.opacity.value=t.opacity,e.rotation.value=t.rotation,t.map&&(e.map.value=t.map,n(t.map,e.mapTransform)),t.alphaMap&&(e.alphaMap.value=t.alphaMap,n(t.alphaMap,e.alphaMapTransform)),t.alphaTest>0&&(e.alphaTest.value=t.alphaTest)}function u(e,t){e.specular.value.copy(t.specular),e.shininess.value=Math.max(t.shininess,1e-4)}function d(e,t){t.gradientMap&&(e.gradientMap.value=t.gradientMap)}function f(e,t){e.metalness.value=t.metalness,t.metalnessMap&&(e.metalnessMap.value=t.metalnessMap,n(t.metalnessMap,e.metalnessMapTransform)),e.roughness.value=t.roughness,t.roughnessMap&&(e.roughnessMap.value=t.roughnessMap,n(t.roughnessMap,e.roughnessMapTransform)),t.envMap&&(e.envMapIntensity.value=t.envMapIntensity)}function p(e,t,r){e.ior.value=t.ior,t.diffuseRoughness>0&&(e.diffuseRoughness.value=t.diffuseRoughness,t.diffuseRoughnessMap&&(e.diffuseRoughnessMap.value=t.diffuseRoughnessMap,n(t.diffuseRoughnessMap,e.diffuseRoughnessMapTransform))),t.sheen>0&&(e.sheenColor.value.copy(t.sheenColor).multiplyScalar(t.sheen),e.sheenRoughness.value=t.sheenRoughness,t.sheenColorMap&&(e.sheenColorMap.value=t.sheenColorMap,n(t.sheenColorMap,e.sheenColorMapTransform)),t.sheenRoughnessMap&&(e.sheenRoughnessMap.value=t.sheenRoughnessMap,n(t.sheenRoughnessMap,e.sheenRoughnessMapTransform))),t.clearcoat>0&&(e.clearcoat.value=t.clearcoat,e.clearcoatRoughness.value=t.clearcoatRoughness,t.clearcoatMap&&(e.clearcoatMap.value=t.clearcoatMap,n(t.clearcoatMap,e.clearcoatMapTransform)),t.clearcoatRoughnessMap&&(e.clearcoatRoughnessMap.value=t.clearcoatRoughnessMap,n(t.clearcoatRoughnessMap,e.clearcoatRoughnessMapTransform)),t.clearcoatNormalMap&&(e.clearcoatNormalMap.value=t.clearcoatNormalMap,n(t.clearcoatNormalMap,e.clearcoatNormalMapTransform),e.clearcoatNormalScale.value.copy(t.clearcoatNormalScale),t.side===1&&e.clearcoatNormalScale.value.negate())),t.dispersion>0&&(e.dispersion.value=t.dispersion),t.retroreflectivity>0&&(e.retroreflectivity.value=t.retroreflectivity),t.iridescence>0&&(e.iridescence.value=t.iridescence,e.iridescenceIOR.value=t.iridescenceIOR,e.iridescenceThicknessMinimum.value=t.iridescenceThicknessMinimum,e.iridescenceThicknessMaximum.value=t.iridescenceThicknessMaximum,t.iridescenceMap&&(e.iridescenceMap.value=t.iridescenceMap,n(t.iridescenceMap,e.iridescenceMapTransform)),t.iridescenceThicknessMap&&(e.iridescenceThicknessMap.value=t.iridescenceThicknessMap,n(t.iridescenceThicknessMap,e.iridescenceThicknessMapTransform))),t.transmission>0&&(e.transmission.value=t.transmission,e.transmissionSamplerMap.value=r.texture,e.transmissionSamplerSize.value.set(r.width,r.height),t.transmissionMap&&(e.transmissionMap.value=t.transmissionMap,n(t.transmissionMap,e.transmissionMapTransform)),e.thickness.value=t.thickness,t.thicknessMap&&(e.thicknessMap.value=t.thicknessMap,n(t.thicknessMap,e.thicknessMapTransform)),e.attenuationDistance.value=t.attenuationDistance,e.attenuationColor.value.copy(t.attenuationColor)),t.anisotropy>0&&(e.anisotropyVector.value.set(t.anisotropy*Math.cos(t.anisotropyRotation),t.anisotropy*Math.sin(t.anisotropyRotation)),t.anisotropyMap&&(e.anisotropyMap.value=t.anisotropyMap,n(t.anisotropyMap,e.anisotropyMapTransform))),e.specularIntensity.value=t.specularIntensity,e.specularColor.value.copy(t.specularColor),t.specularColorMap&&(e.specularColorMap.value=t.specularColorMap,n(t.specularColorMap,e.specularColorMapTransform)),t.specularIntensityMap&&(e.specularIntensityMap.value=t.specularIntensityMap,n(t.specularIntensityMap,e.specularIntensityMapTransform))}function m(e,t){t.matcap&&(e.matcap.value=t.matcap)}function h(e,n){let r=t.get(n).light;e.referencePosition.value.setFromMatrixPosition(r.matrixWorld),e.nearDistance.value=r.shadow.camera.near,e.farDistance.value=r.shadow.camera.far}return{refreshFogUniforms:r,refreshMaterialUniforms:i}}function Mx(e,t,n,r){let i={},a={};function o(e,t){let n=t.program;r.uniformBlockBinding(e,n,i[e.id])}function s(e,n){let o=i[e.id];o===void 0&&(m(e),o=c(e),i[e.id]=o,e.addEventListener(`dispose`,g));let s=n.program;r.updateUBOMapping(e,s);let u=t.render.frame;a[e.id]!==u&&(l(e),a[e.id]=u)}function c(t){let n=e.createBuffer(),r=t.__size,i=t.usage;return e.bindBuffer(e.UNIFORM_BUFFER,n),e.bufferData(e.UNIFORM_BUFFER,r,i),e.bindBuffer(e.UNIFORM_BUFFER,null),n}function l(t){let n=i[t.id],r=t.uniforms,a=t.__cache;e.bindBuffer(e.UNIFORM_BUFFER,n);for(let e=0,t=r.length;e<t;e++){let t=r[e];if(Array.isArray(t))for(let n=0,r=t.length;n<r;n++)u(t[n],e,n,a);else u(t,e,0,a)}e.bindBuffer(e.UNIFORM_BUFFER,null)}function u(t,n,r,i){if(f(t,n,r,i)===!0){let n=t.__offset,r=t.value;if(Array.isArray(r)){let e=0;for(let n=0;n<r.length;n++){let i=r[n],a=h(i,!0);d(i,t.__data,e),e+=a.storage/Float32Array.BYTES_PER_ELEMENT}}else d(r,t.__data,0);e.bufferSubData(e.UNIFORM_BUFFER,n,t.__data)}}function d(e,t,n){typeof e==`number`||typeof e==`boolean`?t[n]=e:e.isMatrix3?(t[n]=e.elements[0],t[n+1]=e.elements[1],t[n+2]=e.elements[2],t[n+3]=0,t[n+4]=e.elements[3],t[n+5]=e.elements[4],t[n+6]=e.elements[5],t[n+7]=0,t[n+8]=e.elements[6],t[n+9]=e.elements[7],t[n+10]=e.elements[8],t[n+11]=0):ArrayBuffer.isView(e)?t.set(e.subarray(0,t.length-n),n):e.toArray(t,n)}function f(e,t,n,r){let i=e.value,a=t+`_`+n;if(Array.isArray(i)){r[a]===void 0&&(r[a]=[]);let e=r[a],t=!1;for(let n=0;n<i.length;n++)p(i[n],e,n)===!0&&(t=!0);return t}return p(i,r,a)}function p(e,t,n){if(t[n]===void 0)return t[n]=typeof e==`number`||typeof e==`boolean`?e:ArrayBuffer.isView(e)?e.slice():e.clone(),!0;{let r=t[n];if(typeof e==`number`||typeof e==`boolean`){if(r!==e)return t[n]=e,!0}else if(ArrayBuffer.isView(e))return!0;else if(r.equals(e)===!1)return r.copy(e),!0}return!1}function m(e){let t=e.uniforms,n=0;for(let e=0,r=t.length;e<r;e++){let r=Array.isArray(t[e])?t[e]:[t[e]];for(let i=0,a=r.length;i<a;i++){let a=r[i],o=Array.isArray(a.value)?a.value:[a.value],s=Array.isArray(t[e])||Array.isArray(a.value),c=n;for(let e=0,t=o.length;e<t;e++){let t=o[e],r=h(t,s),i=n%16,a=i%r.boundary,l=i+a;n+=a,l!==0&&16-l<r.storage&&(n+=16-l),e===0&&(c=n),n+=r.storage}a.__data=new(a.type===`int`?Int32Array:a.type===`uint`?Uint32Array:Float32Array)((n-c)/Float32Array.BYTES_PER_ELEMENT),a.__offset=c}}let r=n%16;return r>0&&(n+=16-r),e.__size=n,e.__cache={},this}function h(e,t){let n={boundary:0,storage:0};return typeof e==`number`||typeof e==`boolean`?(n.boundary=4,n.storage=4):e.isVector2?(n.boundary=8,n.storage=8):e.isVector3||e.isColor?(n.boundary=16,n.storage=12):e.isVector4?(n.boundary=16,n.storage=16):e.isMatrix3?(n.boundary=16,n.storage=48):e.isMatrix4?(n.boundary=16,n.storage=64):e.isTexture?Y(`WebGLRenderer: Texture samplers can not be part of an uniforms group.`):ArrayBuffer.isView(e)?(n.boundary=16,n.storage=e.byteLength):Y(`WebGLRenderer: Unsupported uniform value type.`,e),t===!0&&(n.boundary=16,n.storage=Math.ceil(n.storage/16)*16),n}function g(t){let n=t.target;n.removeEventListener(`dispose`,g),e.deleteBuffer(i[n.id]),delete i[n.id],delete a[n.id]}function _(){for(let t in i)e.deleteBuffer(i[t]);i={},a={}}return{bind:o,update:s,dispose:_}}var Nx=new Uint16Array([12469,15057,12620,14925,13266,14620,13807,14376,14323,13990,14545,13625,14713,13328,14840,12882,14931,12528,14996,12233,15039,11829,15066,11525,15080,11295,15085,10976,15082,10705,15073,10495,13880,14564,13898,14542,13977,14430,14158,14124,14393,13732,14556,13410,14702,12996,14814,12596,14891,12291,14937,11834,14957,11489,14958,11194,14943,10803,14921,10506,14893,10278,14858,9960,14484,14039,14487,14025,14499,13941,14524,13740,14574,13468,14654,13106,14743,12678,14818,12344,14867,11893,14889,11509,14893,11180,14881,10751,14852,10428,14812,10128,14765,9754,14712,9466,14764,13480,14764,13475,14766,13440,14766,13347,14769,13070,14786,12713,14816,12387,14844,11957,14860,11549,14868,11215,14855,10751,14825,10403,14782,10044,14729,9651,14666,9352,14599,9029,14967,12835,14966,12831,14963,12804,14954,12723,14936,12564,14917,12347,14900,11958,14886,11569,14878,11247,14859,10765,14828,10401,14784,10011,14727,9600,14660,9289,14586,8893,14508,8533,15111,12234,15110,12234,15104,12216,15092,12156,15067,12010,15028,11776,14981,11500,14942,11205,14902,10752,14861,10393,14812,9991,14752,9570,14682,9252,14603,8808,14519,8445,14431,8145,15209,11449,15208,11451,15202,11451,15190,11438,15163,11384,15117,11274,15055,10979,14994,10648,14932,10343,14871,9936,14803,9532,14729,9218,14645,8742,14556,8381,14461,8020,14365,7603,15273,10603,15272,10607,15267,10619,15256,10631,15231,10614,15182,10535,15118,10389,15042,10167,14963,9787,14883,9447,14800,9115,14710,8665,14615,8318,14514,7911,14411,7507,14279,7198,15314,9675,15313,9683,15309,9712,15298,9759,15277,9797,15229,9773,15166,9668,15084,9487,14995,9274,14898,8910,14800,8539,14697,8234,14590,7790,14479,7409,14367,7067,14178,6621,15337,8619,15337,8631,15333,8677,15325,8769,15305,8871,15264,8940,15202,8909,15119,8775,15022,8565,14916,8328,14804,8009,14688,7614,14569,7287,14448,6888,14321,6483,14088,6171,15350,7402,15350,7419,15347,7480,15340,7613,15322,7804,15287,7973,15229,8057,15148,8012,15046,7846,14933,7611,14810,7357,14682,7069,14552,6656,14421,6316,14251,5948,14007,5528,15356,5942,15356,5977,15353,6119,15348,6294,15332,6551,15302,6824,15249,7044,15171,7122,15070,7050,14949,6861,14818,6611,14679,6349,14538,6067,14398,5651,14189,5311,13935,4958,15359,4123,15359,4153,15356,4296,15353,4646,15338,5160,15311,5508,15263,5829,15188,6042,15088,6094,14966,6001,14826,5796,14678,5543,14527,5287,14377,4985,14133,4586,13869,4257,15360,1563,15360,1642,15358,2076,15354,2636,15341,3350,15317,4019,15273,4429,15203,4732,15105,4911,14981,4932,14836,4818,14679,4621,14517,4386,14359,4156,14083,3795,13808,3437,15360,122,15360,137,15358,285,15355,636,15344,1274,15322,2177,15281,2765,15215,3223,15120,3451,14995,3569,14846,3567,14681,3466,14511,3305,14344,3121,14037,2800,13753,2467,15360,0,15360,1,15359,21,15355,89,15346,253,15325,479,15287,796,15225,1148,15133,1492,15008,1749,14856,1882,14685,1886,14506,1783,14324,1608,13996,1398,13702,1183]),Px=null;function Fx(){return Px===null&&(Px=new Vm(Nx,16,16,Su,lu),Px.name=`DFG_LUT`,Px.minFilter=$l,Px.magFilter=$l,Px.wrapS=Jl,Px.wrapT=Jl,Px.generateMipmaps=!1,Px.needsUpdate=!0),Px}var Ix=class{constructor(e={}){let{canvas:t=Td(),context:n=null,depth:r=!0,stencil:i=!1,alpha:a=!1,antialias:o=!1,premultipliedAlpha:s=!0,preserveDrawingBuffer:c=!1,powerPreference:l=`default`,failIfMajorPerformanceCaveat:u=!1,reversedDepthBuffer:d=!1,outputBufferType:f=nu}=e;this.isWebGLRenderer=!0;let p;if(n!==null){if(typeof WebGLRenderingContext<`u`&&n instanceof WebGLRenderingContext)throw Error(`THREE.WebGLRenderer: WebGL 1 is not supported since r163.`);p=n.getContextAttributes().alpha}else p=a;let m=f,h=new Set([wu,Cu,xu]),g=new Set([nu,su,au,fu,uu,du]),_=new Uint32Array(4),v=new Int32Array(4),y={textures:[],min:[],max:[],resolution:[]},b=null,x=null,S=[],C=[],w=null;this.domElement=t,this.debug={checkShaderErrors:!0,diagnostics:{keywords:!1},onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=0,this.toneMappingExposure=1,this.transmissionResolutionScale=1;let T=this,E=!1,D=null,O=null,k=null,A=null;this._outputColorSpace=hd;let j=0,M=0,N=null,ee=-1,te=null,P=new Of,ne=new Of,re=null,F=new Q(0),ie=0,ae=t.width,oe=t.height,I=1,se=null,ce=null,le=new Of(0,0,ae,oe),L=new Of(0,0,ae,oe),R=!1,z=new Gm,ue=new qm,de=!1,fe=!1,pe=new Nf,me=new Z,he=new Of,ge={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},_e=!1;function ve(){return N===null?I:1}let B=n;function V(e,n){return t.getContext(e,n)}let H,U,W,ye,G,K,be,xe,Se,q,Ce,we,Te,Ee,De,Oe,ke,Ae,je,Me,Ne,Pe,Fe;try{let e={alpha:!0,depth:r,stencil:i,antialias:o,premultipliedAlpha:s,preserveDrawingBuffer:c,powerPreference:l,failIfMajorPerformanceCaveat:u};if(`setAttribute`in t&&t.setAttribute(`data-engine`,`three.js r187`),t.addEventListener(`webglcontextlost`,Re,!1),t.addEventListener(`webglcontextrestored`,ze,!1),t.addEventListener(`webglcontextcreationerror`,Be,!1),B===null){let t=`webgl2`;if(B=V(t,e),B===null)throw V(t)?Error(`THREE.WebGLRenderer: Error creating WebGL context with your selected attributes.`):Error(`THREE.WebGLRenderer: Error creating WebGL context.`)}Ie()}catch(e){throw t.removeEventListener(`webglcontextlost`,Re,!1),t.removeEventListener(`webglcontextrestored`,ze,!1),t.removeEventListener(`webglcontextcreationerror`,Be,!1),kd(`WebGLRenderer: `+e.message),e}function Ie(){H=new ny(B),H.init(),Ne=new wx(B,H),U=new Iv(B,H,e,Ne),W=new Sx(B,H),U.reversedDepthBuffer&&d&&W.buffers.depth.setReversed(!0),O=B.createFramebuffer(),k=B.createFramebuffer(),A=B.createFramebuffer(),ye=new ay(B),G=new nx,K=new Cx(B,H,W,G,U,Ne,ye),be=new ty(T),xe=new Dv(B),Pe=new Pv(B,xe),Se=new ry(B,xe,ye,Pe),q=new sy(B,Se,xe,Pe,ye),Ae=new oy(B,U,K),De=new Lv(G),Ce=new tx(T,be,H,U,Pe,De),we=new jx(T,G),Te=new ox,Ee=new px(H),ke=new Nv(T,be,W,q,p,s),Oe=new xx(T,q,U),Fe=new Mx(B,ye,U,W),je=new Fv(B,H,ye),Me=new iy(B,H,ye),ye.programs=Ce.programs,T.capabilities=U,T.extensions=H,T.properties=G,T.renderLists=Te,T.shadowMap=Oe,T.state=W,T.info=ye}m!==1009&&(w=new ly(m,t.width,t.height,o,r,i));let Le=new Ox(T,B);this.xr=Le,this.getContext=function(){return B},this.getContextAttributes=function(){return B.getContextAttributes()},this.forceContextLoss=function(){let e=H.get(`WEBGL_lose_context`);e&&e.loseContext()},this.forceContextRestore=function(){let e=H.get(`WEBGL_lose_context`);e&&e.restoreContext()},this.getPixelRatio=function(){return I},this.setPixelRatio=function(e){e!==void 0&&(I=e,this.setSize(ae,oe,!1))},this.getSize=function(e){return e.set(ae,oe)},this.setSize=function(e,n,r=!0){Le.isPresenting?Y(`WebGLRenderer: Can't change size while VR device is presenting.`):(ae=e,oe=n,t.width=Math.floor(e*I),t.height=Math.floor(n*I),r===!0&&(t.style.width=e+`px`,t.style.height=n+`px`),w!==null&&w.setSize(t.width,t.height),this.setViewport(0,0,e,n))},this.getDrawingBufferSize=function(e){return e.set(ae*I,oe*I).floor()},this.setDrawingBufferSize=function(e,n,r){ae=e,oe=n,I=r,t.width=Math.floor(e*r),t.height=Math.floor(n*r),this.setViewport(0,0,e,n)},this.setEffects=function(e){if(m===1009)kd(`WebGLRenderer: setEffects() requires outputBufferType set to HalfFloatType or FloatType.`);else{if(e){for(let t=0;t<e.length;t++)if(e[t].isOutputPass===!0){Y(`WebGLRenderer: OutputPass is not needed in setEffects(). Tone mapping and color space conversion are applied automatically.`);break}}w.setEffects(e||[])}},this.getCurrentViewport=function(e){return e.copy(P)},this.getViewport=function(e){return e.copy(le)},this.setViewport=function(e,t,n,r){e.isVector4?le.set(e.x,e.y,e.z,e.w):le.set(e,t,n,r),W.viewport(P.copy(le).multiplyScalar(ve()).round())},this.getScissor=function(e){return e.copy(L)},this.setScissor=function(e,t,n,r){e.isVector4?L.set(e.x,e.y,e.z,e.w):L.set(e,t,n,r),W.scissor(ne.copy(L).multiplyScalar(ve()).round())},this.getScissorTest=function(){return R},this.setScissorTest=function(e){W.setScissorTest(R=e)},this.setOpaqueSort=function(e){se=e},this.setTransparentSort=function(e){ce=e},this.getClearColor=function(e){return e.copy(ke.getClearColor())},this.setClearColor=function(){ke.setClearColor(...arguments)},this.getClearAlpha=function(){return ke.getClearAlpha()},this.setClearAlpha=function(){ke.setClearAlpha(...arguments)},this.clear=function(e=!0,t=!0,n=!0){let r=0;if(e){let e=!1;if(N!==null){let t=N.texture.format;e=h.has(t)}if(e){let e=N.texture.type,t=g.has(e),n=ke.getClearColor(),r=ke.getClearAlpha(),i=n.r,a=n.g,o=n.b;t?(_[0]=i,_[1]=a,_[2]=o,_[3]=r,B.clearBufferuiv(B.COLOR,0,_)):(v[0]=i,v[1]=a,v[2]=o,v[3]=r,B.clearBufferiv(B.COLOR,0,v))}else r|=B.COLOR_BUFFER_BIT}t&&(r|=B.DEPTH_BUFFER_BIT,this.state.buffers.depth.setMask(!0)),n&&(r|=B.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),r!==0&&B.clear(r)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.setNodesHandler=function(e){e.setRenderer(this),D=e},this.dispose=function(){t.removeEventListener(`webglcontextlost`,Re,!1),t.removeEventListener(`webglcontextrestored`,ze,!1),t.removeEventListener(`webglcontextcreationerror`,Be,!1),ke.dispose(),Te.dispose(),Ee.dispose(),K.dispose(),G.dispose(),be.dispose(),q.dispose(),Se.dispose(),Pe.dispose(),Fe.dispose(),Ce.dispose(),Le.dispose(),Le.removeEventListener(`sessionstart`,qe),Le.removeEventListener(`sessionend`,Je),Ye.stop()};function Re(e){e.preventDefault(),Dd(`WebGLRenderer: Context Lost.`),E=!0}function ze(){Dd(`WebGLRenderer: Context Restored.`),E=!1;let e=ye.autoReset,t=Oe.enabled,n=Oe.autoUpdate,r=Oe.needsUpdate,i=Oe.type;Ie(),ye.autoReset=e,Oe.enabled=t,Oe.autoUpdate=n,Oe.needsUpdate=r,Oe.type=i}function Be(e){kd(`WebGLRenderer: A WebGL context could not be created. Reason: `,e.statusMessage)}function Ve(e){let t=e.target;t.removeEventListener(`dispose`,Ve),He(t)}function He(e){Ue(e),G.remove(e)}function Ue(e){let t=G.get(e).programs;t!==void 0&&(t.forEach(function(e){Ce.releaseProgram(e)}),e.isShaderMaterial&&Ce.releaseShaderCache(e))}this.renderBufferDirect=function(e,t,n,r,i,a){t===null&&(t=ge);let o=i.isMesh&&i.matrixWorld.determinantAffine()<0,s=ot(e,t,n,r,i);W.setMaterial(r,o);let c=n.index,l=1;if(r.wireframe===!0){if(c=Se.getWireframeAttribute(n),c===void 0)return;l=2}let u=n.drawRange,d=n.attributes.position,f=u.start*l,p=(u.start+u.count)*l;a!==null&&(f=Math.max(f,a.start*l),p=Math.min(p,(a.start+a.count)*l)),c===null?d!=null&&(f=Math.max(f,0),p=Math.min(p,d.count)):(f=Math.max(f,0),p=Math.min(p,c.count));let m=p-f;if(m<0||m===1/0)return;Pe.setup(i,r,s,n,c);let h,g=je;if(c!==null&&(h=xe.get(c),g=Me,g.setIndex(h)),i.isMesh)r.wireframe===!0?(W.setLineWidth(r.wireframeLinewidth*ve()),g.setMode(B.LINES)):g.setMode(B.TRIANGLES);else if(i.isLine){let e=r.linewidth;e===void 0&&(e=1),W.setLineWidth(e*ve()),i.isLineSegments?g.setMode(B.LINES):i.isLineLoop?g.setMode(B.LINE_LOOP):g.setMode(B.LINE_STRIP)}else i.isPoints?g.setMode(B.POINTS):i.isSprite&&g.setMode(B.TRIANGLES);if(i.isBatchedMesh){if(H.get(`WEBGL_multi_draw`))g.renderMultiDraw(i._multiDrawStarts,i._multiDrawCounts,i._multiDrawCount);else{let e=i._multiDrawStarts,t=i._multiDrawCounts,n=i._multiDrawCount,a=c?xe.get(c).bytesPerElement:1,o=G.get(r).currentProgram.getUniforms();for(let r=0;r<n;r++)o.setValue(B,`_gl_DrawID`,r),g.render(e[r]/a,t[r])}}else if(i.isInstancedMesh)g.renderInstances(f,m,i.count);else if(n.isInstancedBufferGeometry){let e=n._maxInstanceCount===void 0?1/0:n._maxInstanceCount,t=Math.min(n.instanceCount,e);g.renderInstances(f,m,t)}else g.render(f,m)};function We(e,t,n,r){D!==null&&e.isNodeMaterial&&D.setObject(r,e),de===!0&&De.setState(e,n,!1),e.transparent===!0&&e.side===2&&e.forceSinglePass===!1?(e.side=1,e.needsUpdate=!0,nt(e,t,r),e.side=0,e.needsUpdate=!0,nt(e,t,r),e.side=2):nt(e,t,r)}this.compile=function(e,t,n=null){n===null&&(n=e),D!==null&&D.renderStart(e,t,n),x=Ee.get(n),x.init(t),C.push(x),n.traverseVisible(function(e){e.isLight&&e.layers.test(t.layers)&&(x.pushLight(e),e.castShadow&&x.pushShadow(e))}),e!==n&&e.traverseVisible(function(e){e.isLight&&e.layers.test(t.layers)&&(x.pushLight(e),e.castShadow&&x.pushShadow(e))}),x.setupLights(),D!==null&&D.updateLights(x.state.lightsArray),fe=this.localClippingEnabled,de=De.init(this.clippingPlanes,fe),de===!0&&De.setGlobalState(this.clippingPlanes,t),D!==null&&Oe.render(x.state.shadowsArray,n,t);let r=new Set;return e.traverse(function(e){if(!(e.isMesh||e.isPoints||e.isLine||e.isSprite))return;let i=e.material;if(i){if(Array.isArray(i))for(let a=0;a<i.length;a++){let o=i[a];We(o,n,t,e),r.add(o)}else We(i,n,t,e),r.add(i)}}),x=C.pop(),D!==null&&D.renderEnd(),r},this.compileAsync=function(e,t,n=null){let r=this.compile(e,t,n);return new Promise(t=>{function n(){r.forEach(function(e){let t=G.get(e).currentProgram;(t===void 0||t.isReady())&&r.delete(e)}),r.size===0?t(e):setTimeout(n,10)}H.get(`KHR_parallel_shader_compile`)===null?setTimeout(n,10):n()})};let Ge=null;function Ke(e){Ge&&Ge(e)}function qe(){Ye.stop()}function Je(){Ye.start()}let Ye=new Ev;Ye.setAnimationLoop(Ke),typeof self<`u`&&Ye.setContext(self),this.setAnimationLoop=function(e){Ge=e,Le.setAnimationLoop(e),e===null?Ye.stop():Ye.start()},Le.addEventListener(`sessionstart`,qe),Le.addEventListener(`sessionend`,Je),this.render=function(e,t){if(t!==void 0&&t.isCamera!==!0){kd(`WebGLRenderer.render: camera is not an instance of THREE.Camera.`);return}if(E===!0)return;D!==null&&D.renderStart(e,t);let n=Le.enabled===!0&&Le.isPresenting===!0,r=w!==null&&(N===null||n)&&w.begin(T,N);if(e.matrixWorldAutoUpdate===!0&&e.updateMatrixWorld(),t.parent===null&&t.matrixWorldAutoUpdate===!0&&t.updateMatrixWorld(),Le.enabled===!0&&Le.isPresenting===!0&&(w===null||w.isCompositing()===!1)&&(Le.cameraAutoUpdate===!0&&Le.updateCamera(t),t=Le.getCamera()),e.isScene===!0&&e.onBeforeRender(T,e,t,N),x=Ee.get(e,C.length),x.init(t),x.state.textureUnits=K.getTextureUnits(),C.push(x),pe.multiplyMatrices(t.projectionMatrix,t.matrixWorldInverse),t.isArrayCamera?ue.setFromArrayCamera(t):z.setFromProjectionMatrix(pe,xd,t.reversedDepth),fe=this.localClippingEnabled,de=De.init(this.clippingPlanes,fe),b=Te.get(e,S.length),b.init(),S.push(b),this.info.render.frame++,Le.enabled===!0&&Le.isPresenting===!0){let e=T.xr.getDepthSensingMesh();e!==null&&Xe(e,t,-1/0,T.sortObjects)}Xe(e,t,0,T.sortObjects),b.finish(),D!==null&&D.updateLights(x.state.lightsArray),T.sortObjects===!0&&b.sort(se,ce),_e=Le.enabled===!1||Le.isPresenting===!1||Le.hasDepthSensing()===!1,_e&&ke.addToRenderList(b,e),this.info.autoReset===!0&&this.info.reset(),de===!0&&De.beginShadows();let i=x.state.shadowsArray;if(Oe.render(i,e,t),de===!0&&De.endShadows(),(r&&w.hasRenderPass())===!1){let n=b.opaque,r=b.transmissive;if(x.setupLights(),t.isArrayCamera){let i=t.cameras;if(r.length>0)for(let t=0,a=i.length;t<a;t++){let a=i[t];Qe(n,r,e,a)}_e&&ke.render(e);for(let t=0,n=i.length;t<n;t++){let n=i[t];Ze(b,e,n,n.viewport)}}else r.length>0&&Qe(n,r,e,t),_e&&ke.render(e),Ze(b,e,t)}N!==null&&M===0&&(K.updateMultisampleRenderTarget(N),K.updateRenderTargetMipmap(N)),r&&w.end(T),e.isScene===!0&&e.onAfterRender(T,e,t),Pe.resetDefaultState(),ee=-1,te=null,C.pop(),C.length>0?(x=C[C.length-1],K.setTextureUnits(x.state.textureUnits),de===!0&&De.setGlobalState(T.clippingPlanes,x.state.camera)):x=null,S.pop(),b=S.length>0?S[S.length-1]:null,D!==null&&D.renderEnd()};function Xe(e,t,n,r){if(e.visible===!1)return;if(e.layers.test(t.layers)){if(e.isGroup)n=e.renderOrder;else if(e.isLOD)e.autoUpdate===!0&&e.update(t);else if(e.isLight)x.pushLight(e),e.castShadow&&x.pushShadow(e);else if(e.isSprite){let i=t.isArrayCamera?ue:z;if(!e.frustumCulled||e.intersectsFrustum(i)){r&&he.setFromMatrixPosition(e.matrixWorld).applyMatrix4(pe);let i=q.update(e),a=e.material;a.visible&&b.push(e,i,a,n,he.z,null,t)}}else if(e.isMesh||e.isLine||e.isPoints){let i=t.isArrayCamera?ue:z;if(!e.frustumCulled||e.intersectsFrustum(i)){let i=q.update(e),a=e.material;if(r&&(e.boundingSphere===void 0?(i.boundingSphere===null&&i.computeBoundingSphere(),he.copy(i.boundingSphere.center)):(e.boundingSphere===null&&e.computeBoundingSphere(),he.copy(e.boundingSphere.center)),he.applyMatrix4(e.matrixWorld).applyMatrix4(pe)),Array.isArray(a)){let r=i.groups;for(let o=0,s=r.length;o<s;o++){let s=r[o],c=a[s.materialIndex];c&&c.visible&&b.push(e,i,c,n,he.z,s,t)}}else a.visible&&b.push(e,i,a,n,he.z,null,t)}}}let i=e.children;for(let e=0,a=i.length;e<a;e++)Xe(i[e],t,n,r)}function Ze(e,t,n,r){let{opaque:i,transmissive:a,transparent:o}=e;x.setupLightsView(n),de===!0&&De.setGlobalState(T.clippingPlanes,n),r&&W.viewport(P.copy(r)),i.length>0&&$e(i,t,n),a.length>0&&$e(a,t,n),o.length>0&&$e(o,t,n),W.buffers.depth.setTest(!0),W.buffers.depth.setMask(!0),W.buffers.color.setMask(!0),W.setPolygonOffset(!1)}function Qe(e,t,n,r){if((n.isScene===!0?n.overrideMaterial:null)!==null)return;if(x.state.transmissionRenderTarget[r.id]===void 0){let e=H.has(`EXT_color_buffer_half_float`)||H.has(`EXT_color_buffer_float`);x.state.transmissionRenderTarget[r.id]=new Af(1,1,{generateMipmaps:!0,type:e?lu:nu,minFilter:tu,samples:Math.max(4,U.samples),stencilBuffer:i,resolveDepthBuffer:!1,resolveStencilBuffer:!1,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,colorSpace:_f.workingColorSpace})}let a=x.state.transmissionRenderTarget[r.id],o=r.viewport||P;a.setSize(o.z*T.transmissionResolutionScale,o.w*T.transmissionResolutionScale);let s=T.getRenderTarget(),c=T.getActiveCubeFace(),l=T.getActiveMipmapLevel();T.setRenderTarget(a),T.getClearColor(F),ie=T.getClearAlpha(),ie<1&&T.setClearColor(16777215,.5),T.clear(),_e&&ke.render(n);let u=T.toneMapping;T.toneMapping=0;let d=r.viewport;if(r.viewport!==void 0&&(r.viewport=void 0),x.setupLightsView(r),de===!0&&De.setGlobalState(T.clippingPlanes,r),$e(e,n,r),K.updateMultisampleRenderTarget(a),K.updateRenderTargetMipmap(a),H.has(`WEBGL_multisampled_render_to_texture`)===!1){let e=!1;for(let i=0,a=t.length;i<a;i++){let{object:a,geometry:o,material:s,group:c}=t[i];if(s.side===2&&a.layers.test(r.layers)){let t=s.side;s.side=1,s.needsUpdate=!0,et(a,n,r,o,s,c),s.side=t,s.needsUpdate=!0,e=!0}}e===!0&&(K.updateMultisampleRenderTarget(a),K.updateRenderTargetMipmap(a))}T.setRenderTarget(s,c,l),T.setClearColor(F,ie),d!==void 0&&(r.viewport=d),T.toneMapping=u}function $e(e,t,n){let r=t.isScene===!0?t.overrideMaterial:null;for(let i=0,a=e.length;i<a;i++){let a=e[i],{object:o,geometry:s,group:c}=a,l=a.material;l.allowOverride===!0&&r!==null&&(l=r),o.layers.test(n.layers)&&et(o,t,n,s,l,c)}}function et(e,t,n,r,i,a){D!==null&&i.isNodeMaterial&&D.setObject(e,i),e.onBeforeRender(T,t,n,r,i,a),e.modelViewMatrix.multiplyMatrices(n.matrixWorldInverse,e.matrixWorld),e.normalMatrix.getNormalMatrix(e.modelViewMatrix),i.onBeforeRender(T,t,n,r,e,a),i.transparent===!0&&i.side===2&&i.forceSinglePass===!1?(i.side=1,i.needsUpdate=!0,T.renderBufferDirect(n,t,r,i,e,a),i.side=0,i.needsUpdate=!0,T.renderBufferDirect(n,t,r,i,e,a),i.side=2):T.renderBufferDirect(n,t,r,i,e,a),e.onAfterRender(T,t,n,r,i,a)}function tt(e){let t=0;for(let n of e)n.texture!==null&&t++;return t}function nt(e,t,n){t.isScene!==!0&&(t=ge);let r=G.get(e),i=x.state.lights,a=x.state.shadowsArray,o=i.state.version,s=Ce.getParameters(e,i.state,a,t,n,x.state.lightProbeGridArray),c=Ce.getProgramCacheKey(s),l=r.programs;r.environment=e.isMeshStandardMaterial||e.isMeshLambertMaterial||e.isMeshPhongMaterial?t.environment:null,r.fog=t.fog;let u=e.isMeshStandardMaterial||e.isMeshLambertMaterial&&!e.envMap||e.isMeshPhongMaterial&&!e.envMap;r.envMap=be.get(e.envMap||r.environment,u),r.envMapRotation=r.environment!==null&&e.envMap===null?t.environmentRotation:e.envMapRotation,l===void 0&&(e.addEventListener(`dispose`,Ve),l=new Map,r.programs=l,r.programVariants=new Map);let d=l.get(c);if(d!==void 0){if(r.currentProgram===d&&r.lightsStateVersion===o)return at(e,s),d}else s.uniforms=Ce.getUniforms(e),D!==null&&e.isNodeMaterial&&D.build(e,n,s),e.onBeforeCompile(s,T),d=Ce.acquireProgram(s,c),l.set(c,d),r.uniforms=s.uniforms;let f=r.uniforms;return(!e.isShaderMaterial&&!e.isRawShaderMaterial||e.clipping===!0)&&(f.clippingPlanes=De.uniform),at(e,s),r.needsLights=ct(e),r.lightsStateVersion=o,r.needsLights&&(f.ambientLightColor.value=i.state.ambient,f.lightProbe.value=i.state.probe,f.sunLights.value=i.state.sun,f.sunLightShadows.value=i.state.sunShadow,f.directionalLights.value=i.state.directional,f.directionalLightShadows.value=i.state.directionalShadow,f.spotLights.value=i.state.spot,f.spotLightShadows.value=i.state.spotShadow,f.rectAreaLights.value=i.state.rectArea,f.ltc_1.value=i.state.rectAreaLTC1,f.ltc_2.value=i.state.rectAreaLTC2,f.pointLights.value=i.state.point,f.pointLightShadows.value=i.state.pointShadow,f.hemisphereLights.value=i.state.hemi,f.sunShadowMatrix.value=i.state.sunShadowMatrix,f.sunShadowCascade.value=i.state.sunShadowCascade,f.directionalShadowMatrix.value=i.state.directionalShadowMatrix,f.spotLightMatrix.value=i.state.spotLightMatrix,f.spotLightMap.value=i.state.spotLightMap,f.pointShadowMatrix.value=i.state.pointShadowMatrix),r.numLightProbeGrids=tt(x.state.lightProbeGridArray),r.currentProgram=d,r.uniformsList=null,d}function rt(e,t,n,r,i){let a=G.get(e),o=a.currentProgram.id+`,`+r+`,`+i,s=a.programVariants.get(o);return s===void 0?(s=nt(e,t,n),a.programVariants.set(o,s)):(a.currentProgram=s,a.uniformsList=null,a.outputColorSpace=r,a.toneMapping=i),s}function it(e){if(e.uniformsList===null){let t=e.currentProgram.getUniforms();e.uniformsList=vb.seqWithValue(t.seq,e.uniforms)}return e.uniformsList}function at(e,t){let n=G.get(e);n.outputColorSpace=t.outputColorSpace,n.batching=t.batching,n.batchingColor=t.batchingColor,n.instancing=t.instancing,n.instancingColor=t.instancingColor,n.instancingMorph=t.instancingMorph,n.skinning=t.skinning,n.morphTargets=t.morphTargets,n.morphNormals=t.morphNormals,n.morphColors=t.morphColors,n.morphTargetsCount=t.morphTargetsCount,n.numClippingPlanes=t.numClippingPlanes,n.numIntersection=t.numClipIntersection,n.vertexAlphas=t.vertexAlphas,n.vertexTangents=t.vertexTangents,n.toneMapping=t.toneMapping}function ot(e,t,n,r,i){t.isScene!==!0&&(t=ge),K.resetTextureUnits();let a=t.fog,o=r.isMeshStandardMaterial||r.isMeshLambertMaterial||r.isMeshPhongMaterial?t.environment:null,s=N===null?T.outputColorSpace:N.isXRRenderTarget===!0?N.texture.colorSpace:_f.workingColorSpace,c=r.isMeshStandardMaterial||r.isMeshLambertMaterial&&!r.envMap||r.isMeshPhongMaterial&&!r.envMap,l=be.get(r.envMap||o,c),u=r.vertexColors===!0&&!!n.attributes.color&&n.attributes.color.itemSize===4,d=!!n.attributes.tangent&&(!!r.normalMap||r.anisotropy>0),f=!!n.morphAttributes.position,p=!!n.morphAttributes.normal,m=!!n.morphAttributes.color,h=0;r.toneMapped&&(N===null||N.isXRRenderTarget===!0)&&(h=T.toneMapping);let g=n.morphAttributes.position||n.morphAttributes.normal||n.morphAttributes.color,_=g===void 0?0:g.length,v=G.get(r),b=x.state.lights;if(de===!0&&(fe===!0||e!==te)){let t=e===te&&r.id===ee;De.setState(r,e,t)}let S=!1,C=!1;r.version===v.__version?v.needsLights&&v.lightsStateVersion!==b.state.version||i.isBatchedMesh&&v.batching===!1||!i.isBatchedMesh&&v.batching===!0||i.isBatchedMesh&&v.batchingColor===!0&&i._colorsTexture===null||i.isBatchedMesh&&v.batchingColor===!1&&i._colorsTexture!==null||i.isInstancedMesh&&v.instancing===!1||!i.isInstancedMesh&&v.instancing===!0||i.isSkinnedMesh&&v.skinning===!1||!i.isSkinnedMesh&&v.skinning===!0||i.isInstancedMesh&&v.instancingColor===!0&&i.instanceColor===null||i.isInstancedMesh&&v.instancingColor===!1&&i.instanceColor!==null||i.isInstancedMesh&&v.instancingMorph===!0&&i.morphTexture===null||i.isInstancedMesh&&v.instancingMorph===!1&&i.morphTexture!==null?S=!0:v.envMap===l?r.fog===!0&&v.fog!==a||v.numClippingPlanes!==void 0&&(v.numClippingPlanes!==De.numPlanes||v.numIntersection!==De.numIntersection)?S=!0:v.vertexAlphas===u&&v.vertexTangents===d&&v.morphTargets===f&&v.morphNormals===p&&v.morphColors===m&&v.morphTargetsCount===_&&v.numLightProbeGrids===tt(x.state.lightProbeGridArray)?(v.outputColorSpace!==s||v.toneMapping!==h)&&(C=!0):S=!0:S=!0:(S=!0,v.__version=r.version);let w=v.currentProgram;(S===!0||C===!0)&&(w=C===!0?rt(r,t,i,s,h):nt(r,t,i),D&&r.isNodeMaterial&&D.onUpdateProgram(r,w,v));let E=!1,O=!1,k=!1,A=w.getUniforms(),j=v.uniforms;if(W.useProgram(w.program)&&(E=!0,O=!0,k=!0),r.id!==ee&&(ee=r.id,O=!0),E||te!==e){W.buffers.depth.getReversed()&&e.reversedDepth!==!0&&(e._reversedDepth=!0,e.updateProjectionMatrix()),A.setValue(B,`projectionMatrix`,e.projectionMatrix),A.setValue(B,`viewMatrix`,e.matrixWorldInverse);let t=A.map.cameraPosition;t!==void 0&&t.setValue(B,me.setFromMatrixPosition(e.matrixWorld)),U.logarithmicDepthBuffer&&A.setValue(B,`logDepthBufFC`,2/(Math.log(e.far+1)/Math.LN2)),(r.isMeshPhongMaterial||r.isMeshToonMaterial||r.isMeshLambertMaterial||r.isMeshBasicMaterial||r.isMeshStandardMaterial||r.isShaderMaterial)&&A.setValue(B,`isOrthographic`,e.isOrthographicCamera===!0),te!==e&&(te=e,O=!0,k=!0)}if(v.needsLights&&(b.state.sunShadowMap.length>0&&A.setValue(B,`sunShadowMap`,b.state.sunShadowMap,K),b.state.directionalShadowMap.length>0&&A.setValue(B,`directionalShadowMap`,b.state.directionalShadowMap,K),b.state.spotShadowMap.length>0&&A.setValue(B,`spotShadowMap`,b.state.spotShadowMap,K),b.state.pointShadowMap.length>0&&A.setValue(B,`pointShadowMap`,b.state.pointShadowMap,K)),i.isSkinnedMesh){A.setOptional(B,i,`bindMatrix`),A.setOptional(B,i,`bindMatrixInverse`);let e=i.skeleton;e&&(e.boneTexture===null&&e.computeBoneTexture(),A.setValue(B,`boneTexture`,e.boneTexture,K))}i.isBatchedMesh&&(A.setOptional(B,i,`batchingTexture`),A.setValue(B,`batchingTexture`,i._matricesTexture,K),A.setOptional(B,i,`batchingIdTexture`),A.setValue(B,`batchingIdTexture`,i._indirectTexture,K),A.setOptional(B,i,`batchingColorTexture`),i._colorsTexture!==null&&A.setValue(B,`batchingColorTexture`,i._colorsTexture,K));let M=n.morphAttributes;if((M.position!==void 0||M.normal!==void 0||M.color!==void 0)&&Ae.update(i,n,w),(O||v.receiveShadow!==i.receiveShadow)&&(v.receiveShadow=i.receiveShadow,A.setValue(B,`receiveShadow`,i.receiveShadow)),(r.isMeshStandardMaterial||r.isMeshLambertMaterial||r.isMeshPhongMaterial)&&r.envMap===null&&t.environment!==null&&(j.envMapIntensity.value=t.environmentIntensity),j.dfgLUT!==void 0&&(j.dfgLUT.value=Fx()),O){if(A.setValue(B,`toneMappingExposure`,T.toneMappingExposure),v.needsLights&&st(j,k),a&&r.fog===!0&&we.refreshFogUniforms(j,a),we.refreshMaterialUniforms(j,r,I,oe,x.state.transmissionRenderTarget[e.id]),v.needsLights&&v.numLightProbeGrids>0){let e=y,t=0;for(let n of x.state.lightProbeGridArray)n.texture!==null&&(e.textures[t]=n.texture,e.min[t]=n.boundingBox.min,e.max[t]=n.boundingBox.max,e.resolution[t]=n.resolution,t++);for(let n in e)e[n].length=t;j.probesSH.value=e.textures,j.probesMin.value=e.min,j.probesMax.value=e.max,j.probesResolution.value=e.resolution}vb.upload(B,it(v),j,K)}if(r.isShaderMaterial&&r.uniformsNeedUpdate===!0&&(vb.upload(B,it(v),j,K),r.uniformsNeedUpdate=!1),r.isSpriteMaterial&&A.setValue(B,`center`,i.center),A.setValue(B,`modelViewMatrix`,i.modelViewMatrix),A.setValue(B,`normalMatrix`,i.normalMatrix),A.setValue(B,`modelMatrix`,i.matrixWorld),r.uniformsGroups!==void 0){let e=r.uniformsGroups;for(let t=0,n=e.length;t<n;t++){let n=e[t];Fe.update(n,w),Fe.bind(n,w)}}return w}function st(e,t){e.ambientLightColor.needsUpdate=t,e.lightProbe.needsUpdate=t,e.sunLights.needsUpdate=t,e.sunLightShadows.needsUpdate=t,e.directionalLights.needsUpdate=t,e.directionalLightShadows.needsUpdate=t,e.pointLights.needsUpdate=t,e.pointLightShadows.needsUpdate=t,e.spotLights.needsUpdate=t,e.spotLightShadows.needsUpdate=t,e.rectAreaLights.needsUpdate=t,e.hemisphereLights.needsUpdate=t}function ct(e){return e.isMeshLambertMaterial||e.isMeshToonMaterial||e.isMeshPhongMaterial||e.isMeshStandardMaterial||e.isShadowMaterial||e.isShaderMaterial&&e.lights===!0}this.getActiveCubeFace=function(){return j},this.getActiveMipmapLevel=function(){return M},this.getRenderTarget=function(){return N},this.setRenderTargetTextures=function(e,t,n){let r=G.get(e);r.__autoAllocateDepthBuffer=e.resolveDepthBuffer===!1,r.__autoAllocateDepthBuffer===!1&&(r.__useRenderToTexture=!1),G.get(e.texture).__webglTexture=t,G.get(e.depthTexture).__webglTexture=r.__autoAllocateDepthBuffer?void 0:n,r.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(e,t){let n=G.get(e);n.__webglFramebuffer=t,n.__useDefaultFramebuffer=t===void 0},this.setRenderTarget=function(e,t=0,n=0){N=e,j=t,M=n;let r=null,i=!1,a=!1;if(e){let o=G.get(e);if(o.__useDefaultFramebuffer!==void 0){W.bindFramebuffer(B.FRAMEBUFFER,o.__webglFramebuffer),P.copy(e.viewport),ne.copy(e.scissor),re=e.scissorTest,W.viewport(P),W.scissor(ne),W.setScissorTest(re),ee=-1;return}if(o.__webglFramebuffer===void 0)K.setupRenderTarget(e);else if(o.__hasExternalTextures)K.rebindTextures(e,G.get(e.texture).__webglTexture,G.get(e.depthTexture).__webglTexture);else if(e.depthBuffer){let t=e.depthTexture;if(o.__boundDepthTexture!==t){if(t!==null&&G.has(t)&&(e.width!==t.image.width||e.height!==t.image.height))throw Error(`THREE.WebGLRenderer: Attached DepthTexture is initialized to the incorrect size.`);K.setupDepthRenderbuffer(e)}}let s=e.texture;(s.isData3DTexture||s.isDataArrayTexture||s.isCompressedArrayTexture)&&(a=!0);let c=G.get(e).__webglFramebuffer;e.isWebGLCubeRenderTarget?(r=Array.isArray(c[t])?c[t][n]:c[t],i=!0):r=e.samples>0&&K.useMultisampledRTT(e)===!1?G.get(e).__webglMultisampledFramebuffer:Array.isArray(c)?c[n]:c,P.copy(e.viewport),ne.copy(e.scissor),re=e.scissorTest}else P.copy(le).multiplyScalar(I).floor(),ne.copy(L).multiplyScalar(I).floor(),re=R;if(n!==0&&(r=O),W.bindFramebuffer(B.FRAMEBUFFER,r)&&W.drawBuffers(e,r),W.viewport(P),W.scissor(ne),W.setScissorTest(re),i){let r=G.get(e.texture);B.framebufferTexture2D(B.FRAMEBUFFER,B.COLOR_ATTACHMENT0,B.TEXTURE_CUBE_MAP_POSITIVE_X+t,r.__webglTexture,n)}else if(a){let r=t;for(let t=0;t<e.textures.length;t++){let i=G.get(e.textures[t]);B.framebufferTextureLayer(B.FRAMEBUFFER,B.COLOR_ATTACHMENT0+t,i.__webglTexture,n,r)}}else if(e!==null&&n!==0){let t=G.get(e.texture);B.framebufferTexture2D(B.FRAMEBUFFER,B.COLOR_ATTACHMENT0,B.TEXTURE_2D,t.__webglTexture,n)}ee=-1};function lt(e){let t=G.get(e);return(t.__readFormat!==e.format||t.__readType!==e.type)&&(t.__readFormat=e.format,t.__readType=e.type,t.__formatReadable=U.textureFormatReadable(e.format),t.__typeReadable=U.textureTypeReadable(e.type)),t}this.readRenderTargetPixels=function(e,t,n,r,i,a,o,s=0){if(!(e&&e.isWebGLRenderTarget)){kd(`WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.`);return}let c=G.get(e).__webglFramebuffer;if(e.isWebGLCubeRenderTarget&&o!==void 0&&(c=c[o],Array.isArray(c)&&(c=c[0])),c){W.bindFramebuffer(B.FRAMEBUFFER,c);try{let o=e.textures[s],c=o.format,l=o.type;e.textures.length>1&&B.readBuffer(B.COLOR_ATTACHMENT0+s);let u=lt(o);if(u.__formatReadable===!1){kd(`WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.`);return}if(u.__typeReadable===!1){kd(`WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.`);return}t>=0&&t<=e.width-r&&n>=0&&n<=e.height-i&&B.readPixels(t,n,r,i,Ne.convert(c),Ne.convert(l),a)}finally{let e=N===null?null:G.get(N).__webglFramebuffer;W.bindFramebuffer(B.FRAMEBUFFER,e)}}},this.readRenderTargetPixelsAsync=async function(e,t,n,r,i,a,o,s=0){if(!(e&&e.isWebGLRenderTarget))throw Error(`THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.`);let c=G.get(e).__webglFramebuffer;if(e.isWebGLCubeRenderTarget&&o!==void 0&&(c=c[o],Array.isArray(c)&&(c=c[0])),c){if(t>=0&&t<=e.width-r&&n>=0&&n<=e.height-i){W.bindFramebuffer(B.FRAMEBUFFER,c);let o=e.textures[s],l=o.format,u=o.type;e.textures.length>1&&B.readBuffer(B.COLOR_ATTACHMENT0+s);let d=lt(o);if(d.__formatReadable===!1)throw Error(`THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.`);if(d.__typeReadable===!1)throw Error(`THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.`);let f=B.createBuffer();B.bindBuffer(B.PIXEL_PACK_BUFFER,f),B.bufferData(B.PIXEL_PACK_BUFFER,a.byteLength,B.STREAM_READ),B.readPixels(t,n,r,i,Ne.convert(l),Ne.convert(u),0),B.bindBuffer(B.PIXEL_PACK_BUFFER,null);let p=N===null?null:G.get(N).__webglFramebuffer;W.bindFramebuffer(B.FRAMEBUFFER,p);let m=B.fenceSync(B.SYNC_GPU_COMMANDS_COMPLETE,0);return B.flush(),await jd(B,m,4),B.bindBuffer(B.PIXEL_PACK_BUFFER,f),B.getBufferSubData(B.PIXEL_PACK_BUFFER,0,a),B.bindBuffer(B.PIXEL_PACK_BUFFER,null),B.deleteBuffer(f),B.deleteSync(m),a}throw Error(`THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.`)}},this.copyFramebufferToTexture=function(e,t=null,n=0){let r=2**-n,i=Math.floor(e.image.width*r),a=Math.floor(e.image.height*r),o=t===null?0:t.x,s=t===null?0:t.y;K.setTexture2D(e,0),B.copyTexSubImage2D(B.TEXTURE_2D,n,0,0,o,s,i,a),W.unbindTexture()},this.copyTextureToTexture=function(e,t,n=null,r=null,i=0,a=0){let o,s,c,l,u,d,f,p,m,h=e.isCompressedTexture?e.mipmaps[a]:e.image;if(n!==null)o=n.max.x-n.min.x,s=n.max.y-n.min.y,c=n.isBox3?n.max.z-n.min.z:1,l=n.min.x,u=n.min.y,d=n.isBox3?n.min.z:0;else{let t=2**-i;o=Math.floor(h.width*t),s=Math.floor(h.height*t),c=e.isDataArrayTexture?h.depth:e.isData3DTexture?Math.floor(h.depth*t):1,l=0,u=0,d=0}r===null?(f=0,p=0,m=0):(f=r.x,p=r.y,m=r.z);let g=Ne.convert(t.format),_=Ne.convert(t.type),v;t.isData3DTexture?(K.setTexture3D(t,0),v=B.TEXTURE_3D):t.isDataArrayTexture||t.isCompressedArrayTexture?(K.setTexture2DArray(t,0),v=B.TEXTURE_2D_ARRAY):(K.setTexture2D(t,0),v=B.TEXTURE_2D),W.activeTexture(B.TEXTURE0),W.pixelStorei(B.UNPACK_FLIP_Y_WEBGL,t.flipY),W.pixelStorei(B.UNPACK_PREMULTIPLY_ALPHA_WEBGL,t.premultiplyAlpha),W.pixelStorei(B.UNPACK_ALIGNMENT,t.unpackAlignment);let y=W.getParameter(B.UNPACK_ROW_LENGTH),b=W.getParameter(B.UNPACK_IMAGE_HEIGHT),x=W.getParameter(B.UNPACK_SKIP_PIXELS),S=W.getParameter(B.UNPACK_SKIP_ROWS),C=W.getParameter(B.UNPACK_SKIP_IMAGES);W.pixelStorei(B.UNPACK_ROW_LENGTH,h.width),W.pixelStorei(B.UNPACK_IMAGE_HEIGHT,h.height),W.pixelStorei(B.UNPACK_SKIP_PIXELS,l),W.pixelStorei(B.UNPACK_SKIP_ROWS,u),W.pixelStorei(B.UNPACK_SKIP_IMAGES,d);let w=e.isDataArrayTexture||e.isData3DTexture,T=t.isDataArrayTexture||t.isData3DTexture;if(e.isDepthTexture){let n=G.get(e),r=G.get(t),h=G.get(n.__renderTarget),g=G.get(r.__renderTarget);W.bindFramebuffer(B.READ_FRAMEBUFFER,h.__webglFramebuffer),W.bindFramebuffer(B.DRAW_FRAMEBUFFER,g.__webglFramebuffer);for(let n=0;n<c;n++)w&&(B.framebufferTextureLayer(B.READ_FRAMEBUFFER,B.COLOR_ATTACHMENT0,G.get(e).__webglTexture,i,d+n),B.framebufferTextureLayer(B.DRAW_FRAMEBUFFER,B.COLOR_ATTACHMENT0,G.get(t).__webglTexture,a,m+n)),B.blitFramebuffer(l,u,l+o,u+s,f,p,f+o,p+s,B.DEPTH_BUFFER_BIT,B.NEAREST);W.bindFramebuffer(B.READ_FRAMEBUFFER,null),W.bindFramebuffer(B.DRAW_FRAMEBUFFER,null)}else if(i!==0||e.isRenderTargetTexture||G.has(e)){let n=G.get(e),r=G.get(t);W.bindFramebuffer(B.READ_FRAMEBUFFER,k),W.bindFramebuffer(B.DRAW_FRAMEBUFFER,A);for(let e=0;e<c;e++)w?B.framebufferTextureLayer(B.READ_FRAMEBUFFER,B.COLOR_ATTACHMENT0,n.__webglTexture,i,d+e):B.framebufferTexture2D(B.READ_FRAMEBUFFER,B.COLOR_ATTACHMENT0,B.TEXTURE_2D,n.__webglTexture,i),T?B.framebufferTextureLayer(B.DRAW_FRAMEBUFFER,B.COLOR_ATTACHMENT0,r.__webglTexture,a,m+e):B.framebufferTexture2D(B.DRAW_FRAMEBUFFER,B.COLOR_ATTACHMENT0,B.TEXTURE_2D,r.__webglTexture,a),i===0?T?B.copyTexSubImage3D(v,a,f,p,m+e,l,u,o,s):B.copyTexSubImage2D(v,a,f,p,l,u,o,s):B.blitFramebuffer(l,u,l+o,u+s,f,p,f+o,p+s,B.COLOR_BUFFER_BIT,B.NEAREST);W.bindFramebuffer(B.READ_FRAMEBUFFER,null),W.bindFramebuffer(B.DRAW_FRAMEBUFFER,null)}else T?e.isDataTexture||e.isData3DTexture?B.texSubImage3D(v,a,f,p,m,o,s,c,g,_,h.data):t.isCompressedArrayTexture?B.compressedTexSubImage3D(v,a,f,p,m,o,s,c,g,h.data):B.texSubImage3D(v,a,f,p,m,o,s,c,g,_,h):e.isDataTexture?B.texSubImage2D(B.TEXTURE_2D,a,f,p,o,s,g,_,h.data):e.isCompressedTexture?B.compressedTexSubImage2D(B.TEXTURE_2D,a,f,p,h.width,h.height,g,h.data):B.texSubImage2D(B.TEXTURE_2D,a,f,p,o,s,g,_,h);W.pixelStorei(B.UNPACK_ROW_LENGTH,y),W.pixelStorei(B.UNPACK_IMAGE_HEIGHT,b),W.pixelStorei(B.UNPACK_SKIP_PIXELS,x),W.pixelStorei(B.UNPACK_SKIP_ROWS,S),W.pixelStorei(B.UNPACK_SKIP_IMAGES,C),a===0&&t.generateMipmaps===!0&&t.mipmapsAutoUpdate===!0&&B.generateMipmap(v),W.unbindTexture()},this.initRenderTarget=function(e){G.get(e).__webglFramebuffer===void 0&&K.setupRenderTarget(e)},this.initTexture=function(e){e.isCubeTexture?K.setTextureCube(e,0):e.isData3DTexture?K.setTexture3D(e,0):e.isDataArrayTexture||e.isCompressedArrayTexture?K.setTexture2DArray(e,0):K.setTexture2D(e,0),W.unbindTexture()},this.resetState=function(){j=0,M=0,N=null,W.reset(),Pe.reset()},typeof __THREE_DEVTOOLS__<`u`&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent(`observe`,{detail:this}))}get coordinateSystem(){return xd}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(e){this._outputColorSpace=e;let t=this.getContext();t.drawingBufferColorSpace=_f._getDrawingBufferColorSpace(e),t.unpackColorSpace=_f._getUnpackColorSpace()}};function Lx(e,t=!1){let n=e[0].index!==null,r=new Set(Object.keys(e[0].attributes)),i=new Set(Object.keys(e[0].morphAttributes)),a={},o={},s=e[0].morphTargetsRelative,c=new um;c.morphTargetsRelative=s;let l=0;for(let u=0;u<e.length;++u){let d=e[u],f=0,p=0;if(n!==(d.index!==null))return console.error(`THREE.BufferGeometryUtils: .mergeGeometries() failed with geometry at index `+u+`. All geometries must have compatible attributes; make sure index attribute exists among all geometries, or in none of them.`),null;for(let e in d.attributes){if(!r.has(e))return console.error(`THREE.BufferGeometryUtils: .mergeGeometries() failed with geometry at index `+u+`. All geometries must have compatible attributes; make sure "`+e+`" attribute exists among all geometries, or in none of them.`),null;a[e]===void 0&&(a[e]=[]),a[e].push(d.attributes[e]),f++}if(f!==r.size)return console.error(`THREE.BufferGeometryUtils: .mergeGeometries() failed with geometry at index `+u+`. Make sure all geometries have the same number of attributes.`),null;if(s!==d.morphTargetsRelative)return console.error(`THREE.BufferGeometryUtils: .mergeGeometries() failed with geometry at index `+u+`. .morphTargetsRelative must be consistent throughout all geometries.`),null;for(let t in d.morphAttributes){if(!i.has(t))return console.error(`THREE.BufferGeometryUtils: .mergeGeometries() failed with geometry at index `+u+`.  .morphAttributes must be consistent throughout all geometries.`),null;if(d.morphAttributes[t].length!==e[0].morphAttributes[t].length)return console.error(`THREE.BufferGeometryUtils: .mergeGeometries() failed with geometry at index `+u+`. All geometries must have the same number of morph targets for the "`+t+`" morph attribute.`),null;o[t]===void 0&&(o[t]=[]),o[t].push(d.morphAttributes[t]),p++}if(p!==i.size)return console.error(`THREE.BufferGeometryUtils: .mergeGeometries() failed with geometry at index `+u+`. Make sure all geometries have the same number of morph attributes.`),null;if(t){let e;if(n)e=d.index.count;else if(d.attributes.position!==void 0)e=d.attributes.position.count;else return console.error(`THREE.BufferGeometryUtils: .mergeGeometries() failed with geometry at index `+u+`. The geometry must have either an index or a position attribute`),null;c.addGroup(l,e,u),l+=e}}if(n){let t=0,n=[];for(let r=0;r<e.length;++r){let i=e[r].index;for(let e=0;e<i.count;++e)n.push(i.getX(e)+t);t+=e[r].attributes.position.count}c.setIndex(n)}for(let e in a){let t=Rx(a[e]);if(!t)return console.error(`THREE.BufferGeometryUtils: .mergeGeometries() failed while trying to merge the `+e+` attribute.`),null;c.setAttribute(e,t)}for(let e in o){let t=o[e][0].length;if(t!==0){c.morphAttributes=c.morphAttributes||{},c.morphAttributes[e]=[];for(let n=0;n<t;++n){let t=[];for(let r=0;r<o[e].length;++r)t.push(o[e][r][n]);let r=Rx(t);if(!r)return console.error(`THREE.BufferGeometryUtils: .mergeGeometries() failed while trying to merge the `+e+` morphAttribute.`),null;c.morphAttributes[e].push(r)}}}return c}function Rx(e){let t,n,r,i=-1,a=0;for(let o=0;o<e.length;++o){let s=e[o];if(t===void 0&&(t=s.array.constructor),t!==s.array.constructor)return console.error(`THREE.BufferGeometryUtils: .mergeAttributes() failed. BufferAttribute.array must be of consistent array types across matching attributes.`),null;if(n===void 0&&(n=s.itemSize),n!==s.itemSize)return console.error(`THREE.BufferGeometryUtils: .mergeAttributes() failed. BufferAttribute.itemSize must be consistent across matching attributes.`),null;if(r===void 0&&(r=s.normalized),r!==s.normalized)return console.error(`THREE.BufferGeometryUtils: .mergeAttributes() failed. BufferAttribute.normalized must be consistent across matching attributes.`),null;if(i===-1&&(i=s.gpuType),i!==s.gpuType)return console.error(`THREE.BufferGeometryUtils: .mergeAttributes() failed. BufferAttribute.gpuType must be consistent across matching attributes.`),null;a+=s.count*n}let o=new t(a),s=new Yp(o,n,r),c=0;for(let t=0;t<e.length;++t){let r=e[t];if(r.isInterleavedBufferAttribute){let e=c/n;for(let t=0,i=r.count;t<i;t++)for(let i=0;i<n;i++){let n=r.getComponent(t,i);s.setComponent(t+e,i,n)}}else o.set(r.array,c);c+=r.count*n}return i!==void 0&&(s.gpuType=i),s}function zx(){return new Q(`#ffb02e`).lerp(new Q(J.real),J.isLight?.12:0)}function Bx(){return new t_({transparent:!0,depthWrite:!1,side:2,polygonOffset:!0,polygonOffsetFactor:-2,polygonOffsetUnits:-2,uniforms:{colour:{value:new Q(J.avatar)},least:{value:J.isLight?.02:.04},power:{value:J.isLight?3.2:2.2}},vertexShader:`varying vec3 n; varying vec3 v;
      void main() { vec4 p = modelViewMatrix * vec4(position, 1.0); n = normalize(normalMatrix * normal); v = normalize(-p.xyz); gl_Position = projectionMatrix * p; }`,fragmentShader:`uniform vec3 colour; uniform float least; uniform float power; varying vec3 n; varying vec3 v;
      void main() { gl_FragColor = vec4(colour, least + 0.95 * pow(1.0 - abs(dot(normalize(n), normalize(v))), power)); }`})}function Vx(){return new Em({color:J.avatar,transparent:!0,opacity:.07,depthWrite:!1})}var Hx=e=>!e||Math.abs(e.r-1)<.01&&Math.abs(e.g-.69)<.01&&Math.abs(e.b-.18)<.01;function Ux(e,t,n,r=!1){if(e===`avatar`&&r)return new r_({color:new Q(J.avatar).lerp(new Q(J.object),.25),wireframe:n});if(e===`avatar`){let e=Bx();return e.wireframe=n,e}if(e===`robot`&&Hx(t))return new r_({color:zx(),wireframe:n,side:2});let i=Hx(t)?new Q(J.object):new Q().setRGB(t.r,t.g,t.b,hd);!J.isLight&&i.getHSL({h:0,s:0,l:0}).l<.12&&i.lerp(new Q(J.wall),.7);let a=new Q(J.object),o=(t?.a??1)<.99;return new r_({color:i.lerp(a,e===`robot`?.15:.55),wireframe:n,transparent:o,opacity:t?.a??1,depthWrite:!o,side:2})}var Wx=/\/live$/,Gx=1.13,Kx=8,qx=.34,Jx=.6,Yx=[`cubes`,`spheres`,`cylinders`,`triangles`],Xx=(e,t)=>e.message[t]??[],Zx=e=>[`wall`,`object`].includes(e.meta.layer??``)||(e.meta.role??`world`)===`world`;function Qx(e){let[t,n,r,i,a,o,s]=bt(e.pose?.position,e.pose?.orientation);return new Nf().compose(new Z(t,n,r),new lf(i,a,o,s),new Z(1,1,1))}function $x(e,t,n){let r={...t.size??{x:1,y:1,z:1}},i=Qx(t),a=t.pose?.position?.z??0,o=a-r.z/2;if(n<1/0&&e!==`triangles`){if(o>=n)return;let e=Math.min(a+r.z/2,n);r.z=e-o,i.setPosition(t.pose?.position?.x??0,t.pose?.position?.y??0,(o+e)/2)}let s;switch(e){case`cubes`:s=new vh(r.x,r.y,r.z);break;case`spheres`:s=new Wg(.5,24,16).scale(r.x,r.y,r.z);break;case`cylinders`:s=new yh(.5,.5,1,32).rotateX(Math.PI/2).scale(r.x,r.y,r.z);break;case`triangles`:s=new um,s.setAttribute(`position`,new Qp((t.points??[]).flatMap(e=>[e.x,e.y,e.z]),3)),t.indices?.length&&s.setIndex(t.indices),s=s.index?s.toNonIndexed():s,s.computeVertexNormals()}return s.deleteAttribute(`uv`),(s.index?s.toNonIndexed():s).applyMatrix4(i)}function eS(e){let t={},n=e.lifetime??{};for(let{key:n,value:r}of e.metadata??[])t[n]=r;return{id:String(e.id),frame:String(e.frame_id),meta:t,message:e,lifetime:Number(n.seconds??n.sec??0)+Number(n.nanos??n.nsec??0)/1e9}}function tS(e,t){let n=new Z,r=new Z,i=0;for(let a of e.topics.values())for(let e=0;a.schema===`foxglove.SceneUpdate`&&!Wx.test(a.name)&&e<a.length;e++)for(let o of(a.message(e).entities??[]).map(eS))if(o.frame===t&&[`visual`,`collision`].includes(o.meta.layer??``))for(let e of Yx)for(let t of Xx(o,e)){let a=$x(e,t,1/0);a.computeBoundingBox(),n.add(a.boundingBox.getCenter(r)),a.dispose(),i++}return i?n.divideScalar(i).toArray():void 0}function nS(e){let t=e=>Math.round((e??0)*50);return Yx.flatMap(n=>Xx(e,n).map(e=>[n,t(e.pose?.position?.x),t(e.pose?.position?.y),t(e.pose?.position?.z),t(e.pose?.orientation?.z),t(e.size?.x),t(e.size?.y),t(e.size?.z),e.points?.length].join())).join(`;`)}var rS=class{group=new sp;labels=[];forces=[];box=new jp;hasRobot=!1;hasAvatar=!1;hasAmber=!1;hasWay=!1;entities=new Map;taken=new Map;moving=new Map;brief=new sp;briefKey=``;isAlone=!1;key=``;update(e,t,n){let r=!1;for(let t of e.topics.values()){if(t.schema!==`foxglove.SceneUpdate`||Wx.test(t.name))continue;let e=this.taken.get(t.name)??0;for(let n=Math.max(0,e-t.dropped);n<t.length;n++)r=this.take(t.message(n))||r;this.taken.set(t.name,t.dropped+t.length)}let i=[J.isLight,n,e.epoch,e.frames.version,...t.hidden,...[`collision`,`joints`,`wireframe`,`robot`,`avatar`].map(e=>t.has(e))].join();return(r||i!==this.key)&&(this.key=i,this.rebuild(e,t,n),r=!0),r}take(e){let t=!1;for(let n of e.entities??[]){let e=eS(n);e.lifetime>0||(this.entities.set(e.id,e),t=!0)}for(let n of e.deletions??[])n.id?t=this.entities.delete(n.id)||t:(this.entities.clear(),t=!0);return t}isShown(e,t){let{layer:n=`visual`,role:r=`world`}=e.meta;return t.isHidden(e.id)||r===`robot`&&!t.has(`robot`)||r===`avatar`&&!t.has(`avatar`)?!1:n===`collision`?t.has(`collision`)||!this.hasVisual(e):n===`contact`?t.has(`contacts`):n!==`joint`||t.has(`joints`)}hasVisual(e){for(let t of this.entities.values())if(t.frame===e.frame&&t.meta.layer!==`collision`&&t.meta.world===e.meta.world&&Yx.some(e=>Xx(t,e).length))return!0;return!1}rebuild(e,t,n){this.isAlone=![...e.frames.tracks.keys()].some(e=>!e.startsWith(`avatar/`)&&e!==`odom`),this.group.traverse(e=>{(e instanceof Rm||e instanceof oh)&&e.geometry.dispose()}),this.group.clear(),this.moving.clear(),this.labels=[],this.box.makeEmpty(),this.hasRobot=this.hasAvatar=this.hasAmber=!1,this.briefKey=``;let r=[...this.entities.values()].filter(e=>this.isShown(e,t)),i=r.filter(e=>Zx(e)&&!this.isMoving(e));this.addFixed(i,t,n);for(let n of r)i.includes(n)||this.addMoving(n,t,e.frames.tracks.get(n.frame)?.moves??!0);this.group.add(this.brief)}isMoving(e){return e.frame!==`map`&&e.frame!==`odom`&&e.frame!==``}addFixed(e,t,n){let r=new Set(e.map(e=>e.meta.world??``)),i=[...this.entities.values()].find(e=>e.meta.role===`robot`)?.meta.world,a=new Map;for(let t of e){let e=nS(t);a.set(e,[...a.get(e)??[],t])}let o={wall:[],object:[]},s=[];for(let e of a.values()){let t=e[0],a=t.meta.layer===`wall`,c=r.size<2||new Set(e.map(e=>e.meta.world)).size>1||!i,l=Yx.flatMap(e=>Xx(t,e).map(t=>$x(e,t,n?a?qx:Jx:1/0))).filter(e=>e!==void 0),u=l.some(e=>{e.computeBoundingBox();let t=e.boundingBox;return t.max.z<=.02&&t.max.x-t.min.x>3});if(!l.length||u)continue;let d=Lx(l.map(e=>e.clone()));d.computeBoundingBox(),this.box.union(d.boundingBox),c?o[a?`wall`:`object`].push(...l):(this.addSingle(d,t.meta.world===i),t.meta.world===i&&o.object.push(...l)),c&&s.push(new Th(d,30))}for(let e of[`wall`,`object`])this.addPile(o[e],e,t.has(`wireframe`));if(s.length){let e=Lx(s);this.group.add(new oh(e,new Jm({color:(J.isLight,J.dim),transparent:!0,opacity:J.isLight?.45:.4})))}}addPile(e,t,n){if(!e.length)return;let r=Lx(e),i=r.getAttribute(`normal`),a=new Float32Array(i.count*3),o=new Q(J[t]),s=t===`wall`?o.clone().lerp(new Q(J.isLight?`#7f8b99`:`#aeb8c4`),.45):o;for(let e=0;e<i.count;e++)(i.getZ(e)>.9?s:o).toArray(a,e*3);r.setAttribute(`color`,new Yp(a,3)),this.group.add(new Rm(r,new r_({vertexColors:!0,wireframe:n}))),r.computeBoundingBox()}addSingle(e,t){let n=new oh(new Th(e,30),new o_({color:t?J.real:J.avatar,dashSize:.05,gapSize:.03}));n.computeLineDistances(),this.group.add(n),t||this.group.add(new Rm(e,new Em({color:J.avatar,transparent:!0,opacity:.12,depthWrite:!1})));let r=e.boundingBox,i=r.getCenter(new Z);i.z=r.max.z,this.labels.push({at:i,text:t?`only in the room`:`only in the plan`,role:t?`robot`:`avatar`})}addMoving(e,t,n){let r=e.meta.role===`robot`||e.meta.role===`avatar`?e.meta.role:`world`,i=e.meta.layer===`joint`,a=(r===`robot`||this.isAlone)&&!n?`world`:r,o=this.moving.get(e.frame);if(o||(o=new sp,o.visible=!1,this.moving.set(e.frame,o),this.group.add(o)),this.hasRobot||=r===`robot`,this.hasAmber||=a===`robot`&&Yx.some(t=>Xx(e,t).some(e=>Hx(e.color))),this.hasAvatar||=r===`avatar`,e.meta.layer===`collision`&&t.has(`collision`)&&this.hasVisual(e))this.addShapes(o,e,()=>new Em({color:J.ok,wireframe:!0}),!1);else{this.addShapes(o,e,e=>i?new Em({color:J.danger,depthTest:!1}):Ux(a,e,t.has(`wireframe`),this.isAlone),r!==`avatar`||this.isAlone),a===`avatar`&&!this.isAlone&&o.scale.setScalar(Gx);for(let t of Xx(e,`lines`))o.add(aS(t,i?`joint`:r))}}addShapes(e,t,n,r){let i=new Map,a=[];for(let e of Yx)for(let n of Xx(t,e)){let t=$x(e,n,1/0),o=n.color,s=o?`${o.r} ${o.g} ${o.b} ${o.a}`:``;if(!t)continue;let c=i.get(s)??{colour:o,made:[]};i.set(s,c),c.made.push(t),r&&t.getAttribute(`position`).count<6e3&&a.push(new Th(t,30))}for(let{colour:t,made:r}of i.values())e.add(new Rm(Lx(r),n(t)));if(!a.length)return;let o=new oh(Lx(a),r===`dashed`?new o_({color:J.avatar,dashSize:.03,gapSize:.02}):new Jm({color:J.isLight?`#5a4a2c`:J.bg0,transparent:!0,opacity:.45}));o.computeLineDistances(),e.add(o)}place(e,t){for(let[t,n]of this.moving){let r=e.frames.inWorld(t,e.time);n.visible=r!==void 0,r&&oS(n,r)}this.placeBrief(e,t)}placeBrief(e,t){let n=[],r=`${J.isLight} ${[...t.hidden].join()} ${[`robot`,`avatar`,`contacts`,`trails`,`wireframe`].map(e=>t.has(e))}`;for(let i of e.topics.values()){if(i.schema!==`foxglove.SceneUpdate`||!Wx.test(i.name))continue;let a=new Map;for(let t=i.after(e.time)-1;t>=0&&i.times[t]>e.time-Kx;t--)for(let e of i.message(t).entities??[]){let n=String(e.id);a.has(n)||a.set(n,[eS(e),`${i.name}${t}${n}`])}for(let[e,i]of a.values()){let a=e.meta.layer===`trace`;this.isShown(e,t)&&(!a||!this.hasWay&&t.has(`trails`))&&(n.push(e),r+=i)}}if(r!==this.briefKey){this.briefKey=r,this.brief.traverse(e=>{(e instanceof Rm||e instanceof oh||e instanceof nh)&&(e.geometry.dispose(),e.material.dispose())}),this.brief.clear(),this.forces=[];for(let e of n){if(e.meta.layer===`force`){this.addForces(e);continue}let n=e.meta.role===`avatar`||e.meta.role===`robot`?e.meta.role:`world`,r=e.meta.layer===`contact`;this.addShapes(this.brief,e,e=>r?new Em({color:J.danger,depthTest:!1}):n===`avatar`&&!this.isAlone?Vx():Ux(n,e,t.has(`wireframe`),this.isAlone),r?!1:n!==`avatar`||this.isAlone||`dashed`);for(let t of Xx(e,`lines`))this.brief.add(aS(t,e.meta.layer===`trace`?n:`world`))}}}addForces(e){for(let t of Xx(e,`lines`))this.brief.add(iS(t.points[0],t.points[1]));for(let{pose:t,text:n}of Xx(e,`texts`))this.forces.push({at:new Z(t?.position?.x,t?.position?.y,t?.position?.z),text:n??``,role:`force`})}pick(e){let t=[...this.moving].filter(([,e])=>e.visible),n=e.intersectObjects(t.map(([,e])=>e)).find(e=>e.object instanceof Rm),r=n&&t.find(([,e])=>e===n.object.parent);return r&&{frame:r[0],point:n.point,local:r[1].worldToLocal(n.point.clone())}}worldOf(e,t){return this.moving.get(e)?.localToWorld(t.clone())}boundsOfMoving(e){let t=new jp;for(let[n,r]of this.moving)r.visible&&e.frames.tracks.get(n)?.moves&&(r.updateWorldMatrix(!0,!0),t.expandByObject(r));return t}boundsOfBodies(){let e=new jp().expandByObject(this.brief);for(let t of this.moving.values())t.visible&&(t.updateWorldMatrix(!0,!0),e.expandByObject(t));return e}climber(e){let t,n=0;for(let[r,i]of this.moving){if(!e.frames.tracks.get(r)?.moves)continue;let a=new jp().expandByObject(i).getSize(new Z),o=a.x*a.y*a.z;o>n&&(n=o,t=r)}return t}};function iS(e,t){let n=new Z(e.x,e.y,e.z),r=new Z(t.x,t.y,t.z).sub(n),i=r.length(),a=.25*i,o=new Rm(Lx([new yh(.02*i,.02*i,i-a).translate(0,(i-a)/2,0),new bh(.07*i,a,24).translate(0,i-a/2,0)]),new Em({color:J.danger,depthTest:!1}));return o.renderOrder=1,o.position.copy(n),o.quaternion.setFromUnitVectors(new Z(0,1,0),r.normalize()),o}function aS(e,t){let n=new um().setFromPoints((e.points??[]).map(e=>new Z(e.x,e.y,e.z)));e.indices?.length&&n.setIndex(e.indices),n.applyMatrix4(Qx(e));let r=new Jm({transparent:!0,opacity:e.size?1:.5,color:t===`robot`?J.real:t===`avatar`?J.avatar:t===`joint`?J.danger:J.dim});return e.type===`LINE_LIST`||e.type===`2`?new oh(n,r):new nh(n,r)}function oS(e,[t,n,r,i,a,o,s]){e.position.set(t,n,r),e.quaternion.set(i,a,o,s)}var sS=.5,cS=1e4,lS={"+x":[1,0,0],"−x":[-1,0,0],"+y":[0,1,0],"−y":[0,-1,0],up:[0,0,1],down:[0,0,-1]},uS=[1e3,50],dS=e=>e.size===5&&e.channel.endsWith(`/handle`),fS=class{store;say;inputs=[];which=U(`select`,{"aria-label":`What is pushed`,change:()=>this.label()});way=U(`select`,{"aria-label":`direction`},...Object.keys(lS).map(e=>U(`option`,{value:e},e)));force=U(`input`,{inputmode:`decimal`,value:`10`});unit=U(`span`,{class:`unit`});time=U(`input`,{inputmode:`decimal`,value:String(sS),"aria-label":`for so many s`});button=U(`button`,{click:()=>void this.push()},`Push`);element=U(`div`,{class:`push`,role:`group`,"aria-label":`Push`},this.which,U(`div`,{class:`line`},this.way,this.force,this.unit,this.time,U(`span`,{class:`unit`},`s`),this.button));constructor(e,t){this.store=e,this.say=t}offer(e){this.inputs=e,this.which.replaceChildren(...e.map(e=>U(`option`,{value:e.channel},vn(e.channel)))),this.element.hidden=e.length===0,this.label()}update(e){this.button.setAttribute(`aria-disabled`,String(e!==``)),this.button.title=e}get input(){return this.inputs.find(e=>e.channel===this.which.value)}label(){let{input:e,store:t}=this,n=e!==void 0&&dS(e),r=this.unit.textContent===``,i=n?[...t.frames.tracks.keys()].find(t=>t.endsWith(`/${e.channel.replace(/\/handle$/,``)}`)):void 0,a=i?t.frames.inWorld(i,t.time):void 0,o=e&&pn(e)?`N`:e?.unit??``;this.unit.textContent=o,this.way.hidden=!e||!pn(e),this.which.title=e?.summary??``,n?this.force.value=[...(a??[0,0,0]).slice(0,3).map(e=>e.toFixed(2)),...uS].join(` `):r&&(this.force.value=`10`),ye(this.element,`pull`,n),this.force.setAttribute(`aria-label`,n?`to x, y, z in m, with N/m and N s/m`:`force in ${o}`),this.button.textContent=n?`Pull`:`Push`}far(e,t){let{store:n}=this,r=hn(n,e),i=r?tS(n,r):void 0,a=r&&i&&n.frames.inWorld(r,n.time);if(!i||!a)throw Error(`where it is, is not known yet`);if(!(t>0))throw Error(`a force above 0 N is expected, and its direction`);return[...i,...lS[this.way.value].map((e,t)=>a[t]+cS*e)].map(e=>Number(e.toFixed(4))).concat(t)}async push(){let{input:e,store:t,say:n}=this,r=this.force.value.trim().split(/[\s,]+/),i=r.map(Number),a=Number(this.time.value);if(!e)return;let o=vn(e.channel),s=r.find((e,t)=>e===``||!Number.isFinite(i[t]));if(s!==void 0)n(`${o}: '${s}' is no number in ${this.unit.textContent||`m`}`);else try{let r=await _n(t,e,pn(e)?this.far(e,i[0]):i.length===1?i[0]:i,a);n(`${o}: ${this.force.value} ${this.unit.textContent} for ${this.time.value} s${r}`)}catch(e){n(`${o}: ${e.message}`)}}},pS=e=>e.kind===`shared`&&e.type===`flag`&&!e.channel.endsWith(`/on`),mS=e=>e.kind===`input`&&e.type===`number`&&e.unit===`kg`&&e.max!==void 0,hS=e=>e.kind===`request`&&e.size===3&&e.channel.endsWith(`/place`),gS=e=>e.kind===`input`&&(e.size===1&&/^N( m)?$/.test(e.unit)||dS(e)||pn(e)),_S=e=>/stuck_on$/.test(e.channel)?2:+!!/stuck_off$/.test(e.channel);function vS(e){let t=Sn(e),n=un(e),r=new Set(t?.calls.flatMap(({paths:e})=>[...e.values()].map(e=>Cn(n,t,e)?.channel)));return n.filter(e=>e.commander===``&&!r.has(e.channel)&&(pS(e)||mS(e)||hS(e)||gS(e)))}function yS(e,t,n){let r=U(`span`,{}),i=vn(t.channel),a=!1,o=U(`button`,{class:`switch`,click:()=>{let r=!a;_n(e,t,r).then(e=>n(`${i}: ${r?`on`:`off`}${e}`),e=>n(`${i}: ${e.message}`))}},U(`span`,{class:`name`},i),r);return{element:o,update(e,n){let s=e.get(t.channel);a=s?.value===!0,o.setAttribute(`aria-pressed`,String(a)),o.setAttribute(`aria-disabled`,String(n!==``)),o.title=n||`${i}: ${t.summary}${s?`, by ${s.who}`:``}`,ye(o,`on`,a),W(r,a?`on`:`off`)}}}function bS(e,t,n){let r=vn(t.channel),i=t.unit,a=t.max,o=U(`span`,{class:`num`}),s=()=>_n(e,t,Number(c.value)).then(e=>n(`${r}: ${c.value} ${i}${e}`),t=>{n(`${r}: ${t.message}`),e.changed()}),c=U(`input`,{type:`range`,min:String(t.min??0),max:String(a),step:`10`,value:`0`,"aria-label":`${r} in ${i}`,input:()=>W(o,`${c.value} of ${a} ${i}`),change:()=>void s()});return{element:U(`label`,{class:`share`},r,c,o),update(e,n){let r=e.get(t.channel)?.value;(document.activeElement!==c||n)&&(c.value=String(r??0)),c.disabled=n!==``,c.title=n||t.summary,W(o,`${q(Number(c.value),0)} of ${q(a,0)} ${i}`)}}}var xS={name:`hands`,place:`left`,fits:e=>!e.isRecording&&e.services.has(`/world/put`)&&vS(e).length>0,make({store:e}){let t=U(`span`,{}),n=U(`p`,{class:`why`}),r=U(`p`,{class:`why`,role:`status`,"aria-label":`What came of it in the world`}),i=U(`div`,{class:`switches`,role:`group`,"aria-label":`Faults to switch`}),a=U(`div`,{class:`loads`}),o=e=>W(r,e),s=new Wl(e,o),c=new fS(e,o),l=``,u=[];return{element:K(`World by hand`,t,i,a,s.element,c.element,n,r),update(){let r=vS(e),d=r.map(e=>e.channel).join(),f=gn(e),p=dn(e);if(d!==l){l=d;let t=r.filter(pS).sort((e,t)=>_S(e)-_S(t)).map(t=>yS(e,t,o)),n=r.filter(mS).map(t=>bS(e,t,o));u=[...t,...n],i.replaceChildren(...t.map(e=>e.element)),a.replaceChildren(...n.map(e=>e.element)),i.hidden=t.length===0,s.offer(r.filter(hS)),c.offer(r.filter(gS))}W(t,p.size?`${p.size} held`:``),W(n,f),u.forEach(e=>e.update(p,f)),s.update(f),c.update(f)}}}},SS={avatar:_e,laser:e=>V(e,`foxglove.LaserScan`)!==void 0,"error ribbon":ue,collision:e=>he(e).has(`collision`),contacts:e=>he(e).has(`contact`),joints:e=>he(e).has(`joint`),lens:e=>z(e)?.ex!==void 0||ge(e,e.time)!==void 0},CS={name:`layers`,place:`left`,fits:()=>!0,make({store:e,layers:t}){let n=zt.map(({name:e,key:n})=>{let r={robot:`dot real`,avatar:`dot dashed avatar`,laser:`dot danger`}[e],i=U(`span`,{});return{name:e,element:U(`button`,{class:`layer`,role:`switch`,"aria-label":e,"data-layer":e,click:()=>t.toggle(e)},U(`span`,{},U(`span`,{class:`key`},n)),U(`span`,{},e),r?U(`span`,{class:r}):U(`span`,{}),i),state:i}});return{element:K(`Show`,``,...n.map(e=>e.element)),update(){for(let{name:r,element:i,state:a}of n)i.hidden=!(SS[r]?.(e)??!0),i.setAttribute(`aria-checked`,String(t.has(r))),W(a,t.has(r)?`on`:`off`)}}}},wS={debug:`debug`,info:`info`,warn:`▲ warn`,error:`■ error`},TS={name:`log`,place:`bottom`,fits:()=>!0,make({store:e}){let t=`log`,n=``,r=U(`div`,{class:`log`,role:`log`,"aria-label":`Log`,tabindex:`0`}),i=U(`span`,{}),a=U(`div`,{class:`sr`,"aria-live":`assertive`}),o=U(`input`,{type:`search`,id:`find`,placeholder:`/ find`,"aria-label":`Find in the log`,input:()=>e.changed()}),s=[`log`,`faults`].map(n=>({name:n,element:U(`button`,{role:`tab`,click:()=>{t=n,e.changed()}},n)})),c=U(`section`,{class:`panel`,"aria-label":`Log and faults`},U(`header`,{class:`head`},U(`div`,{class:`tabs`,role:`tablist`,"aria-label":`Log or faults`},...s.map(e=>e.element)),U(`div`,{class:`right`},i,o)),r,a),l=t=>{let n=U(`button`,{title:t.text,click:()=>{e.select(t.from),e.show(t.time)}},U(`span`,{class:`dim`},we(t.time)),U(`span`,{class:t.level===`info`?`dim`:t.level},wS[t.level]),U(`span`,{},t.from),U(`span`,{class:t.level===`error`?`danger`:``},t.text.replace(/->/g,`→`)));return n.dataset.time=String(t.time),n},u=0;return{element:c,update(){let c=o.value.toLowerCase(),d=e.lines.filter(e=>t===`log`?e.level!==`debug`:e.level===`error`||e.level===`warn`),f=c?d.filter(e=>`${e.from} ${e.text}`.toLowerCase().includes(c)):d,p=e.lines.filter(e=>e.level===`error`).length,m=e.lines.filter(e=>e.level===`warn`).length;W(s[0].element,`Log`),W(s[1].element,`Faults ${p}`),s.forEach(e=>e.element.setAttribute(`aria-selected`,String(e.name===t))),W(i,`${m} warning${m===1?``:`s`} · level ≥ ${t===`log`?`info`:`warn`}`);let h=`${t} ${c} ${f.length} ${f[f.length-1]?.time} ${e.epoch}`;if(h!==n){n=h;let i=r.scrollHeight-r.scrollTop-r.clientHeight<30;r.replaceChildren(...f.length?f.slice(-400).map(l):[U(`div`,{class:`empty`},c?`Nothing in the log has “${o.value}”.`:t===`log`?`Nothing was logged.`:`No faults and no warnings.`)]),i&&(r.scrollTop=r.scrollHeight);let s=e.lines.filter(e=>e.level===`error`).pop();s&&s.time!==u&&e.link===`live`&&(u=s.time,W(a,`fault: ${s.from}: ${s.text}`))}for(let t of r.children)t.classList.toggle(`later`,Number(t.dataset.time)>e.time+1e-6)}}}},ES={name:`recording`,place:`bottom`,fits:e=>!kc(e)||!z(e),make({store:e}){let t=[`messages`,`topics`,`driven`,`true distance, RMS`,`interval held the truth`].map(e=>{let t=U(`td`,{class:`num`});return{value:t,row:U(`tr`,{},U(`td`,{},e),t)}}),n=K(`Recording`,``,U(`table`,{},U(`tbody`,{},...t.map(e=>e.row)))),r=n.querySelector(`h2`),i=n.querySelector(`.right`),[a,o,s,c,l]=t.map(e=>e.value);return{element:n,update(){let n=0;for(let t of e.topics.values())n+=t.count;W(r,e.isRecording?`Recording`:`Kept by this page`),W(i,e.isRecording?e.run.file:`the last 60 s`),G(a,q(n,0),``),G(o,String(e.topics.size),``);let u=R(e,`driven_m`),d=u&&e.value(u.topic,u.path);t[2].row.hidden=typeof d!=`number`,G(s,q(d,2),`m`);let f=z(e),p=f&&e.numbers(f.distance.topic,`true_mm`),m=f?.limit&&e.numbers(f.limit.topic,f.limit.path),h=f&&e.numbers(f.distance.topic,f.distance.path),g=0,_=0,v=0,y=0;for(let t=0;p&&t<p.values.length&&p.times[t]<=e.time;t++){let e=p.values[t],n=m?.values[t],r=h?.values[t];typeof e==`number`&&(g+=e*e,_++),typeof e==`number`&&typeof n==`number`&&typeof r==`number`&&(y++,v+=Number(Math.abs(e-r)<=n))}t[3].row.hidden=_===0,t[4].row.hidden=y===0,G(c,q(Math.sqrt(g/_),1),`mm`),G(l,q(100*v/y,1),`% of ${q(y,0)}`)}}}},DS=new jp,OS=new Z,kS=class extends W_{constructor(){super(),this.isLineSegmentsGeometry=!0,this.type=`LineSegmentsGeometry`,this.setIndex([0,2,1,2,3,1,2,4,3,4,5,3,4,6,5,6,7,5]),this.setAttribute(`position`,new Qp([-1,2,0,1,2,0,-1,1,0,1,1,0,-1,0,0,1,0,0,-1,-1,0,1,-1,0],3)),this.setAttribute(`uv`,new Qp([-1,2,1,2,-1,1,1,1,-1,-1,1,-1,-1,-2,1,-2],2))}applyMatrix4(e){let t=this.attributes.instanceStart,n=this.attributes.instanceEnd;return t!==void 0&&(t.applyMatrix4(e),n.applyMatrix4(e),t.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this}setPositions(e){let t;e instanceof Float32Array?t=e:Array.isArray(e)&&(t=new Float32Array(e));let n=new sv(t,6,1);return this.setAttribute(`instanceStart`,new mm(n,3,0)),this.setAttribute(`instanceEnd`,new mm(n,3,3)),this.instanceCount=this.attributes.instanceStart.count,this.computeBoundingBox(),this.computeBoundingSphere(),this}setColors(e){let t;e instanceof Float32Array?t=e:Array.isArray(e)&&(t=new Float32Array(e));let n=new sv(t,6,1);return this.setAttribute(`instanceColorStart`,new mm(n,3,0)),this.setAttribute(`instanceColorEnd`,new mm(n,3,3)),this}fromWireframeGeometry(e){return this.setPositions(e.attributes.position.array),this}fromEdgesGeometry(e){return this.setPositions(e.attributes.position.array),this}fromMesh(e){return this.fromWireframeGeometry(new Gg(e.geometry)),this}fromLineSegments(e){let t=e.geometry;return this.setPositions(t.attributes.position.array),this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new jp);let e=this.attributes.instanceStart,t=this.attributes.instanceEnd;e!==void 0&&t!==void 0&&(this.boundingBox.setFromBufferAttribute(e),DS.setFromBufferAttribute(t),this.boundingBox.union(DS))}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new nm),this.boundingBox===null&&this.computeBoundingBox();let e=this.attributes.instanceStart,t=this.attributes.instanceEnd;if(e!==void 0&&t!==void 0){let n=this.boundingSphere.center;this.boundingBox.getCenter(n);let r=0;for(let i=0,a=e.count;i<a;i++)OS.fromBufferAttribute(e,i),r=Math.max(r,n.distanceToSquared(OS)),OS.fromBufferAttribute(t,i),r=Math.max(r,n.distanceToSquared(OS));this.boundingSphere.radius=Math.sqrt(r),isNaN(this.boundingSphere.radius)&&console.error(`THREE.LineSegmentsGeometry.computeBoundingSphere(): Computed radius is NaN. The instanced position data is likely to have NaN values.`,this)}}toJSON(){}};$.line={worldUnits:{value:1},linewidth:{value:1},resolution:{value:new X},dashOffset:{value:0},dashScale:{value:1},dashSize:{value:1},gapSize:{value:1}},kv.line={uniforms:Qg.merge([$.common,$.fog,$.line]),vertexShader:`
		#include <common>
		#include <color_pars_vertex>
		#include <fog_pars_vertex>
		#include <logdepthbuf_pars_vertex>
		#include <clipping_planes_pars_vertex>

		uniform float linewidth;
		uniform vec2 resolution;

		attribute vec3 instanceStart;
		attribute vec3 instanceEnd;

		attribute vec3 instanceColorStart;
		attribute vec3 instanceColorEnd;

		#ifdef WORLD_UNITS

			varying vec4 worldPos;
			varying vec3 worldStart;
			varying vec3 worldEnd;

			#ifdef USE_DASH

				varying vec2 vUv;

			#endif

		#else

			varying vec2 vUv;

		#endif

		#ifdef USE_DASH

			uniform float dashScale;
			attribute float instanceDistanceStart;
			attribute float instanceDistanceEnd;
			varying float vLineDistance;

		#endif

		float trimSegmentAlpha( const in vec4 start, const in vec4 end ) {

			// compute the interpolation factor needed to trim the segment so it terminates
			// between the camera plane and the near plane

			// conservative estimate of the near plane
			float a = projectionMatrix[ 2 ][ 2 ]; // 3nd entry in 3th column
			float b = projectionMatrix[ 3 ][ 2 ]; // 3nd entry in 4th column

			// we need different nearEstimate formula for reversed and default depth buffer
			// a is positive with a reversed depth buffer so it can be used for controlling the code flow
			float nearEstimate = ( a > 0.0 ) ? ( - b / ( a + 1.0 ) ) : ( - 0.5 * b / a );

			return ( nearEstimate - start.z ) / ( end.z - start.z );

		}

		void main() {

			#ifdef USE_COLOR

				vColor.xyz = ( position.y < 0.5 ) ? instanceColorStart : instanceColorEnd;

			#endif

			float aspect = resolution.x / resolution.y;

			// camera space
			vec4 start = modelViewMatrix * vec4( instanceStart, 1.0 );
			vec4 end = modelViewMatrix * vec4( instanceEnd, 1.0 );

			#ifdef USE_DASH

				float lineDistanceStart = dashScale * instanceDistanceStart;
				float lineDistanceEnd = dashScale * instanceDistanceEnd;

			#endif

			#ifdef WORLD_UNITS

				worldStart = start.xyz;
				worldEnd = end.xyz;

			#else

				vUv = uv;

			#endif

			// special case for perspective projection, and segments that terminate either in, or behind, the camera plane
			// clearly the gpu firmware has a way of addressing this issue when projecting into ndc space
			// but we need to perform ndc-space calculations in the shader, so we must address this issue directly
			// perhaps there is a more elegant solution -- WestLangley

			bool perspective = ( projectionMatrix[ 2 ][ 3 ] == - 1.0 ); // 4th entry in the 3rd column

			if ( perspective ) {

				if ( start.z < 0.0 && end.z >= 0.0 ) {

					float alpha = trimSegmentAlpha( start, end );
					end.xyz = mix( start.xyz, end.xyz, alpha );

					#ifdef USE_DASH

						lineDistanceEnd = mix( lineDistanceStart, lineDistanceEnd, alpha );

					#endif

				} else if ( end.z < 0.0 && start.z >= 0.0 ) {

					float alpha = trimSegmentAlpha( end, start );
					start.xyz = mix( end.xyz, start.xyz, alpha );

					#ifdef USE_DASH

						lineDistanceStart = mix( lineDistanceEnd, lineDistanceStart, alpha );

					#endif

				}

			}

			#ifdef USE_DASH

				vLineDistance = ( position.y < 0.5 ) ? lineDistanceStart : lineDistanceEnd;
				vUv = uv;

			#endif

			// clip space
			vec4 clipStart = projectionMatrix * start;
			vec4 clipEnd = projectionMatrix * end;

			// ndc space
			vec3 ndcStart = clipStart.xyz / clipStart.w;
			vec3 ndcEnd = clipEnd.xyz / clipEnd.w;

			// direction
			vec2 dir = ndcEnd.xy - ndcStart.xy;

			// account for clip-space aspect ratio
			dir.x *= aspect;
			dir = normalize( dir );

			#ifdef WORLD_UNITS

				vec3 worldDir = normalize( end.xyz - start.xyz );
				vec3 tmpFwd = perspective ? normalize( mix( start.xyz, end.xyz, 0.5 ) ) : vec3( 0.0, 0.0, - 1.0 );
				vec3 worldUp = normalize( cross( worldDir, tmpFwd ) );
				vec3 worldFwd = cross( worldDir, worldUp );
				worldPos = position.y < 0.5 ? start: end;

				// height offset
				float hw = linewidth * 0.5;
				worldPos.xyz += position.x < 0.0 ? hw * worldUp : - hw * worldUp;

				// don't extend the line if we're rendering dashes because we
				// won't be rendering the endcaps
				#ifndef USE_DASH

					// cap extension
					worldPos.xyz += position.y < 0.5 ? - hw * worldDir : hw * worldDir;

					// add width to the box
					worldPos.xyz += worldFwd * hw;

					// endcaps
					if ( position.y > 1.0 || position.y < 0.0 ) {

						worldPos.xyz -= worldFwd * 2.0 * hw;

					}

				#endif

				// project the worldpos
				vec4 clip = projectionMatrix * worldPos;

				// shift the depth of the projected points so the line
				// segments overlap neatly
				vec3 clipPose = ( position.y < 0.5 ) ? ndcStart : ndcEnd;

				// only shift the depth of vertices in front of the camera (#35137)
				if ( clip.w > 0.0 ) clip.z = clipPose.z * clip.w;

			#else

				vec2 offset = vec2( dir.y, - dir.x );
				// undo aspect ratio adjustment
				dir.x /= aspect;
				offset.x /= aspect;

				// sign flip
				if ( position.x < 0.0 ) offset *= - 1.0;

				// endcaps
				if ( position.y < 0.0 ) {

					offset += - dir;

				} else if ( position.y > 1.0 ) {

					offset += dir;

				}

				// adjust for linewidth
				offset *= linewidth;

				// adjust for clip-space to screen-space conversion // maybe resolution should be based on viewport ...
				offset /= resolution.y;

				// select end
				vec4 clip = ( position.y < 0.5 ) ? clipStart : clipEnd;

				// back to clip space
				offset *= clip.w;

				clip.xy += offset;

			#endif

			gl_Position = clip;

			vec4 mvPosition = ( position.y < 0.5 ) ? start : end; // this is an approximation

			#include <logdepthbuf_vertex>
			#include <clipping_planes_vertex>
			#include <fog_vertex>

		}
		`,fragmentShader:`
		uniform vec3 diffuse;
		uniform float opacity;
		uniform float linewidth;

		#ifdef USE_DASH

			uniform float dashOffset;
			uniform float dashSize;
			uniform float gapSize;

		#endif

		varying float vLineDistance;

		#ifdef WORLD_UNITS

			varying vec4 worldPos;
			varying vec3 worldStart;
			varying vec3 worldEnd;

			#ifdef USE_DASH

				varying vec2 vUv;

			#endif

		#else

			varying vec2 vUv;

		#endif

		#include <common>
		#include <color_pars_fragment>
		#include <fog_pars_fragment>
		#include <logdepthbuf_pars_fragment>
		#include <clipping_planes_pars_fragment>

		vec2 closestLineToLine(vec3 p1, vec3 p2, vec3 p3, vec3 p4) {

			float mua;
			float mub;

			vec3 p13 = p1 - p3;
			vec3 p43 = p4 - p3;

			vec3 p21 = p2 - p1;

			float d1343 = dot( p13, p43 );
			float d4321 = dot( p43, p21 );
			float d1321 = dot( p13, p21 );
			float d4343 = dot( p43, p43 );
			float d2121 = dot( p21, p21 );

			float denom = d2121 * d4343 - d4321 * d4321;

			float numer = d1343 * d4321 - d1321 * d4343;

			mua = numer / denom;
			mua = clamp( mua, 0.0, 1.0 );
			mub = ( d1343 + d4321 * ( mua ) ) / d4343;
			mub = clamp( mub, 0.0, 1.0 );

			return vec2( mua, mub );

		}

		void main() {

			float alpha = opacity;
			vec4 diffuseColor = vec4( diffuse, alpha );

			#include <clipping_planes_fragment>

			#ifdef USE_DASH

				if ( vUv.y < - 1.0 || vUv.y > 1.0 ) discard; // discard endcaps

				if ( mod( vLineDistance + dashOffset, dashSize + gapSize ) > dashSize ) discard; // todo - FIX

			#endif

			#ifdef WORLD_UNITS

				float len;

				if ( isOrthographic ) {

					// View rays are parallel to the z axis so the distance reduces to camera-space XY
					vec2 lineDir = worldEnd.xy - worldStart.xy;
					float t = clamp( dot( worldPos.xy - worldStart.xy, lineDir ) / dot( lineDir, lineDir ), 0.0, 1.0 );
					len = length( worldStart.xy + lineDir * t - worldPos.xy );

				} else {

					// Find the closest points on the view ray and the line segment
					vec3 rayEnd = normalize( worldPos.xyz ) * 1e5;
					vec3 lineDir = worldEnd - worldStart;
					vec2 params = closestLineToLine( worldStart, worldEnd, vec3( 0.0, 0.0, 0.0 ), rayEnd );

					vec3 p1 = worldStart + lineDir * params.x;
					vec3 p2 = rayEnd * params.y;
					vec3 delta = p1 - p2;
					len = length( delta );

				}

				float norm = len / linewidth;

				#ifndef USE_DASH

					#ifdef USE_ALPHA_TO_COVERAGE

						float dnorm = fwidth( norm );
						alpha = 1.0 - smoothstep( 0.5 - dnorm, 0.5 + dnorm, norm );

					#else

						if ( norm > 0.5 ) {

							discard;

						}

					#endif

				#endif

			#else

				#ifdef USE_ALPHA_TO_COVERAGE

					// artifacts appear on some hardware if a derivative is taken within a conditional
					float a = vUv.x;
					float b = ( vUv.y > 0.0 ) ? vUv.y - 1.0 : vUv.y + 1.0;
					float len2 = a * a + b * b;
					float dlen = fwidth( len2 );

					if ( abs( vUv.y ) > 1.0 ) {

						alpha = 1.0 - smoothstep( 1.0 - dlen, 1.0 + dlen, len2 );

					}

				#else

					if ( abs( vUv.y ) > 1.0 ) {

						float a = vUv.x;
						float b = ( vUv.y > 0.0 ) ? vUv.y - 1.0 : vUv.y + 1.0;
						float len2 = a * a + b * b;

						if ( len2 > 1.0 ) discard;

					}

				#endif

			#endif

			#include <logdepthbuf_fragment>
			#include <color_fragment>

			gl_FragColor = vec4( diffuseColor.rgb, alpha );

			#include <tonemapping_fragment>
			#include <colorspace_fragment>
			#include <fog_fragment>
			#include <premultiplied_alpha_fragment>

		}
		`};var AS=class extends t_{constructor(e){super({type:`LineMaterial`,uniforms:Qg.clone(kv.line.uniforms),vertexShader:kv.line.vertexShader,fragmentShader:kv.line.fragmentShader,clipping:!0}),this.isLineMaterial=!0,this.setValues(e)}get color(){return this.uniforms.diffuse.value}set color(e){this.uniforms.diffuse.value=e}get worldUnits(){return`WORLD_UNITS`in this.defines}set worldUnits(e){e===!0!==this.worldUnits&&(this.needsUpdate=!0),e===!0?this.defines.WORLD_UNITS=``:delete this.defines.WORLD_UNITS}get linewidth(){return this.uniforms.linewidth.value}set linewidth(e){this.uniforms.linewidth&&(this.uniforms.linewidth.value=e)}get dashed(){return`USE_DASH`in this.defines}set dashed(e){e===!0!==this.dashed&&(this.needsUpdate=!0),e===!0?this.defines.USE_DASH=``:delete this.defines.USE_DASH}get dashScale(){return this.uniforms.dashScale.value}set dashScale(e){this.uniforms.dashScale.value=e}get dashSize(){return this.uniforms.dashSize.value}set dashSize(e){this.uniforms.dashSize.value=e}get dashOffset(){return this.uniforms.dashOffset.value}set dashOffset(e){this.uniforms.dashOffset.value=e}get gapSize(){return this.uniforms.gapSize.value}set gapSize(e){this.uniforms.gapSize.value=e}get opacity(){return this.uniforms.opacity.value}set opacity(e){this.uniforms&&(this.uniforms.opacity.value=e)}get resolution(){return this.uniforms.resolution.value}set resolution(e){this.uniforms.resolution.value.copy(e)}get alphaToCoverage(){return`USE_ALPHA_TO_COVERAGE`in this.defines}set alphaToCoverage(e){this.defines&&(e===!0!==this.alphaToCoverage&&(this.needsUpdate=!0),e===!0?this.defines.USE_ALPHA_TO_COVERAGE=``:delete this.defines.USE_ALPHA_TO_COVERAGE)}},jS=new Of,MS=new Z,NS=new Z,PS=new Of,FS=new Of,IS=new Of,LS=new Z,RS=new Nf,zS=new bv,BS=new Z,VS=new jp,HS=new nm,US=new Of,WS,GS;function KS(e,t,n){return US.set(0,0,-t,1).applyMatrix4(e.projectionMatrix),US.multiplyScalar(1/US.w),US.x=GS/n.width,US.y=GS/n.height,US.applyMatrix4(e.projectionMatrixInverse),US.multiplyScalar(1/US.w),Math.abs(Math.max(US.x,US.y))}function qS(e,t){let n=e.matrixWorld,r=e.geometry,i=r.attributes.instanceStart,a=r.attributes.instanceEnd,o=Math.min(r.instanceCount,i.count);for(let r=0,s=o;r<s;r++){zS.start.fromBufferAttribute(i,r),zS.end.fromBufferAttribute(a,r),zS.applyMatrix4(n);let o=new Z,s=new Z;WS.distanceSqToSegment(zS.start,zS.end,s,o),s.distanceTo(o)<GS*.5&&t.push({point:s,pointOnLine:o,distance:WS.origin.distanceTo(s),object:e,face:null,faceIndex:r,uv:null,uv1:null})}}function JS(e,t,n){let r=t.projectionMatrix,i=e.material.resolution,a=e.matrixWorld,o=e.geometry,s=o.attributes.instanceStart,c=o.attributes.instanceEnd,l=Math.min(o.instanceCount,s.count),u=-t.near;WS.at(1,IS),IS.w=1,IS.applyMatrix4(t.matrixWorldInverse),IS.applyMatrix4(r),IS.multiplyScalar(1/IS.w),IS.x*=i.x/2,IS.y*=i.y/2,IS.z=0,LS.copy(IS),RS.multiplyMatrices(t.matrixWorldInverse,a);for(let t=0,o=l;t<o;t++){if(PS.fromBufferAttribute(s,t),FS.fromBufferAttribute(c,t),PS.w=1,FS.w=1,PS.applyMatrix4(RS),FS.applyMatrix4(RS),PS.z>u&&FS.z>u)continue;if(PS.z>u){let e=PS.z-FS.z,t=(PS.z-u)/e;PS.lerp(FS,t)}else if(FS.z>u){let e=FS.z-PS.z,t=(FS.z-u)/e;FS.lerp(PS,t)}PS.applyMatrix4(r),FS.applyMatrix4(r),PS.multiplyScalar(1/PS.w),FS.multiplyScalar(1/FS.w),PS.x*=i.x/2,PS.y*=i.y/2,FS.x*=i.x/2,FS.y*=i.y/2,zS.start.copy(PS),zS.start.z=0,zS.end.copy(FS),zS.end.z=0;let o=zS.closestPointToPointParameter(LS,!0);zS.at(o,BS);let l=cf.lerp(PS.z,FS.z,o),d=l>=-1&&l<=1,f=LS.distanceTo(BS)<GS*.5;if(d&&f){zS.start.fromBufferAttribute(s,t),zS.end.fromBufferAttribute(c,t),zS.start.applyMatrix4(a),zS.end.applyMatrix4(a);let r=new Z,i=new Z;WS.distanceSqToSegment(zS.start,zS.end,i,r),n.push({point:i,pointOnLine:r,distance:WS.origin.distanceTo(i),object:e,face:null,faceIndex:t,uv:null,uv1:null})}}}var YS=class extends Rm{constructor(e=new kS,t=new AS({color:Math.random()*16777215})){super(e,t),this.isLineSegments2=!0,this.type=`LineSegments2`}computeLineDistances(){let e=this.geometry,t=e.attributes.instanceStart,n=e.attributes.instanceEnd,r=new Float32Array(2*t.count);for(let e=0,i=0,a=t.count;e<a;e++,i+=2)MS.fromBufferAttribute(t,e),NS.fromBufferAttribute(n,e),r[i]=i===0?0:r[i-1],r[i+1]=r[i]+MS.distanceTo(NS);let i=new sv(r,2,1);return e.setAttribute(`instanceDistanceStart`,new mm(i,1,0)),e.setAttribute(`instanceDistanceEnd`,new mm(i,1,1)),this}raycast(e,t){let n=this.material.worldUnits,r=e.camera;if(r===null&&!n&&console.error(`LineSegments2: "Raycaster.camera" needs to be set in order to raycast against LineSegments2 while worldUnits is set to false.`),n===!1&&(this.material.resolution.x===0||this.material.resolution.y===0))return;let i=e.params.Line2===void 0?0:e.params.Line2.threshold||0;WS=e.ray;let a=this.matrixWorld,o=this.geometry,s=this.material;GS=s.linewidth+i,o.boundingSphere===null&&o.computeBoundingSphere(),HS.copy(o.boundingSphere).applyMatrix4(a);let c;if(c=n?GS*.5:KS(r,Math.max(r.near,HS.distanceToPoint(WS.origin)),s.resolution),HS.radius+=c,WS.intersectsSphere(HS)===!1)return;o.boundingBox===null&&o.computeBoundingBox(),VS.copy(o.boundingBox).applyMatrix4(a);let l;l=n?GS*.5:KS(r,Math.max(r.near,VS.distanceToPoint(WS.origin)),s.resolution),VS.expandByScalar(l),WS.intersectsBox(VS)!==!1&&(n?qS(this,t):JS(this,r,t))}onBeforeRender(e){let t=this.material.uniforms;t&&t.resolution&&(e.getViewport(jS),this.material.uniforms.resolution.value.set(jS.z,jS.w))}},XS=class extends kS{constructor(){super(),this.isLineGeometry=!0,this.type=`LineGeometry`}setPositions(e){let t=e.length-3,n=new Float32Array(2*t);for(let r=0;r<t;r+=3)n[2*r]=e[r],n[2*r+1]=e[r+1],n[2*r+2]=e[r+2],n[2*r+3]=e[r+3],n[2*r+4]=e[r+4],n[2*r+5]=e[r+5];return super.setPositions(n),this}setColors(e){let t=e.length-3,n=new Float32Array(2*t);for(let r=0;r<t;r+=3)n[2*r]=e[r],n[2*r+1]=e[r+1],n[2*r+2]=e[r+2],n[2*r+3]=e[r+3],n[2*r+4]=e[r+4],n[2*r+5]=e[r+5];return super.setColors(n),this}setFromPoints(e){let t=e.length-1,n=new Float32Array(6*t);for(let r=0;r<t;r++)n[6*r]=e[r].x,n[6*r+1]=e[r].y,n[6*r+2]=e[r].z||0,n[6*r+3]=e[r+1].x,n[6*r+4]=e[r+1].y,n[6*r+5]=e[r+1].z||0;return super.setPositions(n),this}fromLine(e){let t=e.geometry;return this.setPositions(t.attributes.position.array),this}},ZS=class extends YS{constructor(e=new XS,t=new AS({color:Math.random()*16777215})){super(e,t),this.isLine2=!0,this.type=`Line2`}},QS=.175;function $S(e,t,n){let r=[],i=n?14:1,a=2*Math.PI/i;for(let t=0;t<i;t++)r.push(new Vg(e,e+.017,n?6:64,1,t*a,n?a*.58:a));let o=new Rm(r[0],new Em({color:t,side:2}));for(let e of r.slice(1))o.add(new Rm(e,o.material));return o.position.z=n?.012:.01,o}function eC(e,t,n,r){let i=new Rm(new yh(e,e*1.02,t,40).rotateX(Math.PI/2),r);return i.position.z=n,i}var tC=class{role;group=new sp;body=new sp;constructor(e){this.role=e,this.dress()}dress(){if(this.group.clear(),this.body.clear(),this.role===`robot`){let e=new r_({color:zx()}),t=new r_({color:zx().multiplyScalar(.62)}),n=new r_({color:`#1a1712`}),r=new Rm(new Hg(new ng().moveTo(.15,0).lineTo(.07,.05).lineTo(.07,-.05)),new Em({color:`#1a1712`}));r.position.z=.1265,this.body.add(eC(QS*.98,.03,.03,n),eC(QS,.06,.075,e),eC(QS*.9,.02,.115,t),eC(QS*.84,.004,.124,e),eC(.03,.07,.16,n),eC(.026,.014,.2,t),r),this.group.add($S(QS*1.28,J.real,!1))}else this.body.add(eC(QS*1.13,.13,.07,Ux(`avatar`,void 0,!1)),eC(.036,.09,.165,Ux(`avatar`,void 0,!1))),this.group.add($S(QS*1.5,J.avatar,!0));this.group.add(this.body)}show(e,t){this.group.visible=e,this.body.visible=!t}},nC=.02,rC=(e,t,n)=>new ZS(new XS,new AS({linewidth:e,dashed:!0,dashSize:t,gapSize:n}));function iC(e,t){e.visible=t.length>5,e.visible&&(e.geometry.dispose(),e.geometry=new XS,e.geometry.setPositions(t),e.computeLineDistances())}var aC=class{group=new sp;labels=[];way=rC(2.5,.14,.09);pairs={A:rC(1.5,.03,.04),B:rC(1.5,.03,.04)};ghosts={A:[new tC(`robot`),new tC(`avatar`),new tC(`avatar`)],B:new tC(`avatar`)};points=[];seen=``;end=-1;constructor(){this.group.add(this.way,...Object.values(this.pairs),...this.ghosts.A.map(e=>e.group),this.ghosts.B.group);for(let e of[this.way,...Object.values(this.pairs)])e.frustumCulled=!1,e.renderOrder=2}dress(){this.way.material.color.set(J.avatar);for(let e of Object.values(this.pairs))e.material.color.set(J.text);[...this.ghosts.A,this.ghosts.B].forEach(e=>e.dress()),this.seen=``}get box(){return new jp().setFromArray(this.points)}update(e){let{other:t}=e,n=pe(e).robot,r=pe(e).avatar,i=t&&pe(t).avatar,{A:a,B:o}=e.marks,s=`${a} ${o}`;if(this.group.visible=i!==void 0,!t||!i||s===this.seen&&this.end===t.end)return;this.seen=s,this.end!==t.end&&(this.end=t.end,this.trail(t,i)),this.labels=[];let c=(e,t,n)=>{let r=t?e.frames.inWorld(t,n):void 0;return r&&[r[0],r[1],r[2]+.03]},l=(e,t,n,r)=>{let i=n&&r!==void 0?t.frames.inWorld(n,r):void 0;e.show(i!==void 0,!1),i&&(e.group.position.set(i[0],i[1],i[2]),e.group.rotation.z=vt(i))};[[e,n],[e,r],[t,i]].forEach(([e,t],n)=>l(this.ghosts.A[n],e,t,a)),l(this.ghosts.B,t,i,o);let u=(e,t)=>{let n=z(e);return Pe(n&&e.numbers(n.distance.topic,n.distance.path)?.at(t)).join(` `)};for(let[r,s]of[[`A`,a],[`B`,o]]){let a=s===void 0?void 0:c(e,n,s),o=s===void 0?void 0:c(t,i,s);iC(this.pairs[r],a&&o?[...a,...o]:[]),a&&o&&s!==void 0&&(this.labels.push({at:new Z(...a),text:r===`A`?`A: 1 ${u(e,s)}, 2 ${u(t,s)}`:`robot and 1: ${u(e,s)} at B`,role:`robot`}),r===`B`&&this.labels.push({at:new Z(...o),text:`2 ${u(t,s)} away at B`,role:`avatar`}))}}trail(e,t){let n=this.points=[];for(let r of e.frames.tracks.get(t)?.times??[]){let i=e.frames.inWorld(t,r),a=n.length;i&&(a===0||Math.hypot(i[0]-n[a-3],i[1]-n[a-2])>nC)&&n.push(i[0],i[1],i[2]+.014)}iC(this.way,n)}},oC=236,sC=.255,cC=175,lC=[50,20,10,5,2,1],uC=class{canvas=U(`canvas`,{role:`img`,"aria-label":`Deviation of the avatar from the robot`});title=U(`b`,{});words=U(`span`,{class:`dim`});element=U(`div`,{class:`lens`},this.canvas,this.title,this.words);draw(e,t,n){if(!z(e)?.ex&&ge(e,e.time)){this.drawCentre(e,n);return}let r=z(e),i=t=>{let n=t&&e.value(t.topic,t.path);return typeof n==`number`?n:void 0},a=i(r?.ex),o=i(r?.ey),s=i(r?.heading)??0;this.element.hidden=!n||a===void 0||o===void 0;let c=this.element.hidden?void 0:be(this.canvas);if(!c||a===void 0||o===void 0)return;let l=Math.hypot(a,o)*1e3,u=lC.find(e=>l*e*sC<104)??1,d=u*sC,f=oC/2;c.translate(f,f),c.beginPath(),c.arc(0,0,117,0,7),c.fillStyle=J.bg1,c.fill(),c.save(),c.clip(),this.rings(c,d,f,i(r?.limit));let p=[-(a*Math.cos(t)-o*Math.sin(t))*1e3*d,(a*Math.sin(t)+o*Math.cos(t))*1e3*d];dC(c,0,0,t,J.real,!1),dC(c,p[0],p[1],t-s*Math.PI/180*Math.min(u,20),J.avatar,!0),fC(c,p[0],p[1]),c.restore(),c.lineWidth=1.5,c.strokeStyle=J.dim,c.beginPath(),c.arc(0,0,117,0,7),c.stroke(),W(this.title,`Deviation × ${u}`);let m=(e,t,n)=>`${q(Math.abs(e)*1e3,1)} mm ${e<0?n:t}`;W(this.words,`robot ${m(a,`ahead`,`behind`)}, ${m(o,`left`,`right`)}, ${q(Math.abs(s),2)}°`),this.canvas.setAttribute(`aria-label`,`${this.title.textContent}: ${this.words.textContent}`)}drawCentre(e,t){this.element.hidden=!t,this.element.classList.add(`centre`);let n=t?be(this.canvas):void 0;if(!n)return;let r=Array.from({length:101},(t,n)=>ge(e,e.time-2+n*.02)).filter(e=>e!==void 0),i=this.canvas.clientWidth/2,a=Math.max(.001,...r.map(e=>Math.hypot(e.x,e.y)))*1e3,o=[1,2,5,10,20,50,100,200,500,1e3,2e3].find(e=>e*2.4>a)??5e3,s=(i-16)/(3*o);n.translate(i,i),n.beginPath(),n.arc(0,0,i-1,0,7),n.fillStyle=J.bg1,n.fill(),n.strokeStyle=J.line,n.font=`11px Inter, system-ui, sans-serif`,n.textAlign=`center`;for(let e=1;e<=3;e++)n.beginPath(),n.arc(0,0,e*o*s,0,7),n.stroke(),Ys(n,`${e*o} µm`,0,e*o*s+4,J.dim);n.strokeStyle=J.avatar,n.lineWidth=1.5,n.beginPath(),r.forEach((e,t)=>{let r=e.x*1e3*s,i=-e.y*1e3*s;t?n.lineTo(r,i):n.moveTo(r,i)}),n.stroke();let c=r[r.length-1];n.fillStyle=J.real,n.beginPath(),n.arc(0,0,5,0,7),n.fill(),n.setLineDash([3,2]),n.beginPath(),n.arc(c.x*1e3*s,-c.y*1e3*s,8,0,7),n.stroke(),n.setLineDash([]),n.strokeStyle=J.dim,n.beginPath(),n.arc(0,0,i-1,0,7),n.stroke(),W(this.title,`Centre, seen from above`),W(this.words,`avatar against machine, 2 s: ${q(Math.hypot(c.x,c.y)*1e3,1)} µm`),this.canvas.setAttribute(`aria-label`,`${this.title.textContent}: ${this.words.textContent}`)}rings(e,t,n,r){let i=[2,5,10,20,50,100,200,500].find(e=>e*t>20)??1e3;e.lineWidth=1,r!==void 0&&(e.beginPath(),e.arc(0,0,Math.min(r*t,n*2),0,7),e.fillStyle=`${J.band}70`,e.fill(),e.setLineDash([2,3]),e.strokeStyle=J.text,e.stroke(),e.setLineDash([])),e.strokeStyle=J.line;for(let r=i;r*t<n;r+=i)e.beginPath(),e.arc(0,0,r*t,0,7),e.stroke();e.font=`11px Inter, system-ui, sans-serif`,e.textAlign=`center`;for(let r=i*(cC*sC>i*t?2:1);r*t<n-4;r+=i)Ys(e,`${r} mm`,0,r*t+4,J.dim)}};function dC(e,t,n,r,i,a){let o=cC*sC;e.save(),e.translate(t,n),e.strokeStyle=e.fillStyle=i,e.lineWidth=2,e.globalAlpha=a?.16:.32,e.beginPath(),e.arc(0,0,o,0,7),e.fill(),e.globalAlpha=1,e.setLineDash(a?[6,4]:[]),e.stroke(),e.beginPath(),e.moveTo(0,0),e.lineTo(o*Math.cos(r),-44.625*Math.sin(r)),e.stroke(),e.restore()}function fC(e,t,n){let r=Math.hypot(t,n);if(e.fillStyle=J.real,e.beginPath(),e.arc(0,0,3.5,0,7),e.fill(),r<6)return;let i=t/r,a=n/r;e.strokeStyle=e.fillStyle=J.text,e.lineWidth=2,e.beginPath(),e.moveTo(i*4,a*4),e.lineTo(t-i*8,n-a*8),e.stroke(),e.beginPath(),e.moveTo(t,n),e.lineTo(t-i*10-a*5,n-a*10+i*5),e.lineTo(t-i*10+a*5,n-a*10-i*5),e.fill()}var pC={type:`change`},mC={type:`start`},hC={type:`end`},gC=new Tm,_C=new vm,vC=Math.cos(70*cf.DEG2RAD),yC=new Z,bC=2*Math.PI,xC={NONE:-1,ROTATE:0,DOLLY:1,PAN:2,TOUCH_ROTATE:3,TOUCH_PAN:4,TOUCH_DOLLY_PAN:5,TOUCH_DOLLY_ROTATE:6},SC=1e-6,CC=class extends Cv{constructor(e,t=null){super(e,t),this.state=xC.NONE,this.target=new Z,this.cursor=new Z,this.minDistance=0,this.maxDistance=1/0,this.minZoom=0,this.maxZoom=1/0,this.minTargetRadius=0,this.maxTargetRadius=1/0,this.minPolarAngle=0,this.maxPolarAngle=Math.PI,this.minAzimuthAngle=-1/0,this.maxAzimuthAngle=1/0,this.enableDamping=!1,this.dampingFactor=.05,this.enableZoom=!0,this.zoomSpeed=1,this.enableRotate=!0,this.rotateSpeed=1,this.keyRotateSpeed=1,this.enablePan=!0,this.panSpeed=1,this.screenSpacePanning=!0,this.keyPanSpeed=7,this.zoomToCursor=!1,this.autoRotate=!1,this.autoRotateSpeed=2,this.keys={LEFT:`ArrowLeft`,UP:`ArrowUp`,RIGHT:`ArrowRight`,BOTTOM:`ArrowDown`},this.mouseButtons={LEFT:Gl.ROTATE,MIDDLE:Gl.DOLLY,RIGHT:Gl.PAN},this.touches={ONE:Kl.ROTATE,TWO:Kl.DOLLY_PAN},this.target0=this.target.clone(),this.position0=this.object.position.clone(),this.zoom0=this.object.zoom,this._cursorStyle=`auto`,this._domElementKeyEvents=null,this._lastPosition=new Z,this._lastQuaternion=new lf,this._lastTargetPosition=new Z,this._quat=new lf().setFromUnitVectors(e.up,new Z(0,1,0)),this._quatInverse=this._quat.clone().invert(),this._spherical=new fv,this._sphericalDelta=new fv,this._scale=1,this._panOffset=new Z,this._rotateStart=new X,this._rotateEnd=new X,this._rotateDelta=new X,this._panStart=new X,this._panEnd=new X,this._panDelta=new X,this._dollyStart=new X,this._dollyEnd=new X,this._dollyDelta=new X,this._dollyDirection=new Z,this._mouse=new X,this._performCursorZoom=!1,this._pointers=[],this._pointerPositions={},this._controlActive=!1,this._onPointerMove=TC.bind(this),this._onPointerDown=wC.bind(this),this._onPointerUp=EC.bind(this),this._onContextMenu=NC.bind(this),this._onMouseWheel=kC.bind(this),this._onKeyDown=AC.bind(this),this._onTouchStart=jC.bind(this),this._onTouchMove=MC.bind(this),this._onMouseDown=DC.bind(this),this._onMouseMove=OC.bind(this),this._interceptControlDown=PC.bind(this),this._interceptControlUp=FC.bind(this),this.domElement!==null&&this.connect(this.domElement),this.update()}set cursorStyle(e){this._cursorStyle=e,e===`grab`?this.domElement.style.cursor=`grab`:this.domElement.style.cursor=`auto`}get cursorStyle(){return this._cursorStyle}connect(e){super.connect(e),this.domElement.addEventListener(`pointerdown`,this._onPointerDown),this.domElement.addEventListener(`pointercancel`,this._onPointerUp),this.domElement.addEventListener(`contextmenu`,this._onContextMenu),this.domElement.addEventListener(`wheel`,this._onMouseWheel,{passive:!1}),this.domElement.ownerDocument.addEventListener(`keydown`,this._interceptControlDown,{passive:!0,capture:!0}),this.domElement.style.touchAction=`none`}disconnect(){this.state=xC.NONE,this.domElement.removeEventListener(`pointerdown`,this._onPointerDown),this.domElement.ownerDocument.removeEventListener(`pointermove`,this._onPointerMove),this.domElement.ownerDocument.removeEventListener(`pointerup`,this._onPointerUp),this.domElement.removeEventListener(`pointercancel`,this._onPointerUp),this.domElement.removeEventListener(`wheel`,this._onMouseWheel),this.domElement.removeEventListener(`contextmenu`,this._onContextMenu),this.stopListenToKeyEvents(),this.domElement.ownerDocument.removeEventListener(`keydown`,this._interceptControlDown,{capture:!0}),this.domElement.ownerDocument.removeEventListener(`keyup`,this._interceptControlUp,{capture:!0}),this._controlActive=!1,this._pointers.length=0,this._pointerPositions={},this.domElement.style.touchAction=``,this.domElement.style.cursor=`auto`}dispose(){this.disconnect()}getPolarAngle(){return this._spherical.phi}getAzimuthalAngle(){return this._spherical.theta}getDistance(){return this.object.position.distanceTo(this.target)}listenToKeyEvents(e){e.addEventListener(`keydown`,this._onKeyDown),this._domElementKeyEvents=e}stopListenToKeyEvents(){this._domElementKeyEvents!==null&&(this._domElementKeyEvents.removeEventListener(`keydown`,this._onKeyDown),this._domElementKeyEvents=null)}saveState(){this.target0.copy(this.target),this.position0.copy(this.object.position),this.zoom0=this.object.zoom}reset(){this.target.copy(this.target0),this.object.position.copy(this.position0),this.object.zoom=this.zoom0,this.object.updateProjectionMatrix(),this.dispatchEvent(pC),this.update(),this.state=xC.NONE}pan(e,t){this._pan(e,t),this.update()}dollyIn(e){this._dollyIn(e),this.update()}dollyOut(e){this._dollyOut(e),this.update()}rotateLeft(e){this._rotateLeft(e),this.update()}rotateUp(e){this._rotateUp(e),this.update()}update(e=null){let t=this.object.position;yC.copy(t).sub(this.target),yC.applyQuaternion(this._quat),this._spherical.setFromVector3(yC),this.autoRotate&&this.state===xC.NONE&&this._rotateLeft(this._getAutoRotationAngle(e)),this.enableDamping?(this._spherical.theta+=this._sphericalDelta.theta*this.dampingFactor,this._spherical.phi+=this._sphericalDelta.phi*this.dampingFactor):(this._spherical.theta+=this._sphericalDelta.theta,this._spherical.phi+=this._sphericalDelta.phi);let n=this.minAzimuthAngle,r=this.maxAzimuthAngle;isFinite(n)&&isFinite(r)&&(n<-Math.PI?n+=bC:n>Math.PI&&(n-=bC),r<-Math.PI?r+=bC:r>Math.PI&&(r-=bC),n<=r?this._spherical.theta=Math.max(n,Math.min(r,this._spherical.theta)):this._spherical.theta=this._spherical.theta>(n+r)/2?Math.max(n,this._spherical.theta):Math.min(r,this._spherical.theta)),this._spherical.phi=Math.max(this.minPolarAngle,Math.min(this.maxPolarAngle,this._spherical.phi)),this._spherical.makeSafe(),this.enableDamping===!0?this.target.addScaledVector(this._panOffset,this.dampingFactor):this.target.add(this._panOffset),this.target.sub(this.cursor),this.target.clampLength(this.minTargetRadius,this.maxTargetRadius),this.target.add(this.cursor);let i=!1;if(this.zoomToCursor&&this._performCursorZoom||this.object.isOrthographicCamera)this._spherical.radius=this._clampDistance(this._spherical.radius);else{let e=this._spherical.radius;this._spherical.radius=this._clampDistance(this._spherical.radius*this._scale),i=e!=this._spherical.radius}if(yC.setFromSpherical(this._spherical),yC.applyQuaternion(this._quatInverse),t.copy(this.target).add(yC),this.object.lookAt(this.target),this.enableDamping===!0?(this._sphericalDelta.theta*=1-this.dampingFactor,this._sphericalDelta.phi*=1-this.dampingFactor,this._panOffset.multiplyScalar(1-this.dampingFactor)):(this._sphericalDelta.set(0,0,0),this._panOffset.set(0,0,0)),this.zoomToCursor&&this._performCursorZoom){let e=null;if(this.object.isPerspectiveCamera){let t=yC.length();e=this._clampDistance(t*this._scale);let n=t-e;this.object.position.addScaledVector(this._dollyDirection,n),this.object.updateMatrixWorld(),i=!!n}else if(this.object.isOrthographicCamera){let t=new Z(this._mouse.x,this._mouse.y,0);t.unproject(this.object);let n=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),this.object.updateProjectionMatrix(),i=n!==this.object.zoom;let r=new Z(this._mouse.x,this._mouse.y,0);r.unproject(this.object),this.object.position.sub(r).add(t),this.object.updateMatrixWorld(),e=yC.length()}else console.warn(`WARNING: OrbitControls.js encountered an unknown camera type - zoom to cursor disabled.`),this.zoomToCursor=!1;e!==null&&(this.screenSpacePanning?this.target.set(0,0,-1).transformDirection(this.object.matrix).multiplyScalar(e).add(this.object.position):(gC.origin.copy(this.object.position),gC.direction.set(0,0,-1).transformDirection(this.object.matrix),Math.abs(this.object.up.dot(gC.direction))<vC?this.object.lookAt(this.target):(_C.setFromNormalAndCoplanarPoint(this.object.up,this.target),gC.intersectPlane(_C,this.target))))}else if(this.object.isOrthographicCamera){let e=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),e!==this.object.zoom&&(this.object.updateProjectionMatrix(),i=!0)}return this._scale=1,this._performCursorZoom=!1,i||this._lastPosition.distanceToSquared(this.object.position)>SC||8*(1-this._lastQuaternion.dot(this.object.quaternion))>SC||this._lastTargetPosition.distanceToSquared(this.target)>SC?(this.dispatchEvent(pC),this._lastPosition.copy(this.object.position),this._lastQuaternion.copy(this.object.quaternion),this._lastTargetPosition.copy(this.target),!0):!1}_getAutoRotationAngle(e){return e===null?bC/60/60*this.autoRotateSpeed:bC/60*this.autoRotateSpeed*e}_getZoomScale(e){let t=Math.abs(e*.01);return .95**(this.zoomSpeed*t)}_rotateLeft(e){this._sphericalDelta.theta-=e}_rotateUp(e){this._sphericalDelta.phi-=e}_panLeft(e,t){yC.setFromMatrixColumn(t,0),yC.multiplyScalar(-e),this._panOffset.add(yC)}_panUp(e,t){this.screenSpacePanning===!0?yC.setFromMatrixColumn(t,1):(yC.setFromMatrixColumn(t,0),yC.crossVectors(this.object.up,yC)),yC.multiplyScalar(e),this._panOffset.add(yC)}_pan(e,t){let n=this.domElement;if(this.object.isPerspectiveCamera){let r=this.object.position;yC.copy(r).sub(this.target);let i=yC.length();i*=Math.tan(this.object.fov/2*Math.PI/180),this._panLeft(2*e*i/n.clientHeight,this.object.matrix),this._panUp(2*t*i/n.clientHeight,this.object.matrix)}else this.object.isOrthographicCamera?(this._panLeft(e*(this.object.right-this.object.left)/this.object.zoom/n.clientWidth,this.object.matrix),this._panUp(t*(this.object.top-this.object.bottom)/this.object.zoom/n.clientHeight,this.object.matrix)):(console.warn(`WARNING: OrbitControls.js encountered an unknown camera type - pan disabled.`),this.enablePan=!1)}_dollyOut(e){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale/=e:(console.warn(`WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled.`),this.enableZoom=!1)}_dollyIn(e){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale*=e:(console.warn(`WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled.`),this.enableZoom=!1)}_updateZoomParameters(e,t){if(!this.zoomToCursor)return;this._performCursorZoom=!0;let n=this.domElement.getBoundingClientRect(),r=e-n.left,i=t-n.top,a=n.width,o=n.height;this._mouse.x=r/a*2-1,this._mouse.y=-(i/o)*2+1,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()}_clampDistance(e){return Math.max(this.minDistance,Math.min(this.maxDistance,e))}_handleMouseDownRotate(e){this._rotateStart.set(e.clientX,e.clientY)}_handleMouseDownDolly(e){this._updateZoomParameters(e.clientX,e.clientY),this._dollyStart.set(e.clientX,e.clientY)}_handleMouseDownPan(e){this._panStart.set(e.clientX,e.clientY)}_handleMouseMoveRotate(e){this._rotateEnd.set(e.clientX,e.clientY),this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let t=this.domElement;this._rotateLeft(bC*this._rotateDelta.x/t.clientHeight),this._rotateUp(bC*this._rotateDelta.y/t.clientHeight),this._rotateStart.copy(this._rotateEnd),this.update()}_handleMouseMoveDolly(e){this._dollyEnd.set(e.clientX,e.clientY),this._dollyDelta.subVectors(this._dollyEnd,this._dollyStart),this._dollyDelta.y>0?this._dollyOut(this._getZoomScale(this._dollyDelta.y)):this._dollyDelta.y<0&&this._dollyIn(this._getZoomScale(this._dollyDelta.y)),this._dollyStart.copy(this._dollyEnd),this.zoomToCursor&&(this._performCursorZoom=!0,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()),this.update()}_handleMouseMovePan(e){this._panEnd.set(e.clientX,e.clientY),this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd),this.update()}_handleMouseWheel(e){this._updateZoomParameters(e.clientX,e.clientY),e.deltaY<0?this._dollyIn(this._getZoomScale(e.deltaY)):e.deltaY>0&&this._dollyOut(this._getZoomScale(e.deltaY)),this.update()}_handleKeyDown(e){let t=!1;switch(e.code){case this.keys.UP:e.ctrlKey||e.metaKey||e.shiftKey?this.enableRotate&&this._rotateUp(bC*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,this.keyPanSpeed),t=!0;break;case this.keys.BOTTOM:e.ctrlKey||e.metaKey||e.shiftKey?this.enableRotate&&this._rotateUp(-bC*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,-this.keyPanSpeed),t=!0;break;case this.keys.LEFT:e.ctrlKey||e.metaKey||e.shiftKey?this.enableRotate&&this._rotateLeft(bC*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(this.keyPanSpeed,0),t=!0;break;case this.keys.RIGHT:e.ctrlKey||e.metaKey||e.shiftKey?this.enableRotate&&this._rotateLeft(-bC*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(-this.keyPanSpeed,0),t=!0}t&&(e.preventDefault(),this.update())}_handleTouchStartRotate(e){if(this._pointers.length===1)this._rotateStart.set(e.pageX,e.pageY);else{let t=this._getSecondPointerPosition(e),n=.5*(e.pageX+t.x),r=.5*(e.pageY+t.y);this._rotateStart.set(n,r)}}_handleTouchStartPan(e){if(this._pointers.length===1)this._panStart.set(e.pageX,e.pageY);else{let t=this._getSecondPointerPosition(e),n=.5*(e.pageX+t.x),r=.5*(e.pageY+t.y);this._panStart.set(n,r)}}_handleTouchStartDolly(e){let t=this._getSecondPointerPosition(e),n=e.pageX-t.x,r=e.pageY-t.y,i=Math.sqrt(n*n+r*r);this._dollyStart.set(0,i)}_handleTouchStartDollyPan(e){this.enableZoom&&this._handleTouchStartDolly(e),this.enablePan&&this._handleTouchStartPan(e)}_handleTouchStartDollyRotate(e){this.enableZoom&&this._handleTouchStartDolly(e),this.enableRotate&&this._handleTouchStartRotate(e)}_handleTouchMoveRotate(e){if(this._pointers.length==1)this._rotateEnd.set(e.pageX,e.pageY);else{let t=this._getSecondPointerPosition(e),n=.5*(e.pageX+t.x),r=.5*(e.pageY+t.y);this._rotateEnd.set(n,r)}this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let t=this.domElement;this._rotateLeft(bC*this._rotateDelta.x/t.clientHeight),this._rotateUp(bC*this._rotateDelta.y/t.clientHeight),this._rotateStart.copy(this._rotateEnd)}_handleTouchMovePan(e){if(this._pointers.length===1)this._panEnd.set(e.pageX,e.pageY);else{let t=this._getSecondPointerPosition(e),n=.5*(e.pageX+t.x),r=.5*(e.pageY+t.y);this._panEnd.set(n,r)}this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd)}_handleTouchMoveDolly(e){let t=this._getSecondPointerPosition(e),n=e.pageX-t.x,r=e.pageY-t.y,i=Math.sqrt(n*n+r*r);this._dollyEnd.set(0,i),this._dollyDelta.set(0,(this._dollyEnd.y/this._dollyStart.y)**+this.zoomSpeed),this._dollyOut(this._dollyDelta.y),this._dollyStart.copy(this._dollyEnd);let a=(e.pageX+t.x)*.5,o=(e.pageY+t.y)*.5;this._updateZoomParameters(a,o)}_handleTouchMoveDollyPan(e){this.enableZoom&&this._handleTouchMoveDolly(e),this.enablePan&&this._handleTouchMovePan(e)}_handleTouchMoveDollyRotate(e){this.enableZoom&&this._handleTouchMoveDolly(e),this.enableRotate&&this._handleTouchMoveRotate(e)}_addPointer(e){this._pointers.push(e.pointerId)}_removePointer(e){delete this._pointerPositions[e.pointerId];for(let t=0;t<this._pointers.length;t++)if(this._pointers[t]==e.pointerId){this._pointers.splice(t,1);return}}_isTrackingPointer(e){for(let t=0;t<this._pointers.length;t++)if(this._pointers[t]==e.pointerId)return!0;return!1}_trackPointer(e){let t=this._pointerPositions[e.pointerId];t===void 0&&(t=new X,this._pointerPositions[e.pointerId]=t),t.set(e.pageX,e.pageY)}_getSecondPointerPosition(e){let t=e.pointerId===this._pointers[0]?this._pointers[1]:this._pointers[0];return this._pointerPositions[t]}_customWheelEvent(e){let t=e.deltaMode,n={clientX:e.clientX,clientY:e.clientY,deltaY:e.deltaY};switch(t){case 1:n.deltaY*=16;break;case 2:n.deltaY*=100}return e.ctrlKey&&!this._controlActive&&(n.deltaY*=10),n}};function wC(e){this.enabled!==!1&&(this._pointers.length===0&&(this.domElement.setPointerCapture(e.pointerId),this.domElement.ownerDocument.addEventListener(`pointermove`,this._onPointerMove),this.domElement.ownerDocument.addEventListener(`pointerup`,this._onPointerUp)),this._isTrackingPointer(e)||(this._addPointer(e),e.pointerType===`touch`?this._onTouchStart(e):this._onMouseDown(e),this._cursorStyle===`grab`&&(this.domElement.style.cursor=`grabbing`)))}function TC(e){this.enabled!==!1&&(e.pointerType===`touch`?this._onTouchMove(e):this._onMouseMove(e))}function EC(e){switch(this._removePointer(e),this._pointers.length){case 0:this.domElement.releasePointerCapture(e.pointerId),this.domElement.ownerDocument.removeEventListener(`pointermove`,this._onPointerMove),this.domElement.ownerDocument.removeEventListener(`pointerup`,this._onPointerUp),this.dispatchEvent(hC),this.state=xC.NONE,this._cursorStyle===`grab`&&(this.domElement.style.cursor=`grab`);break;case 1:let t=this._pointers[0],n=this._pointerPositions[t];this._onTouchStart({pointerId:t,pageX:n.x,pageY:n.y})}}function DC(e){let t;switch(e.button){case 0:t=this.mouseButtons.LEFT;break;case 1:t=this.mouseButtons.MIDDLE;break;case 2:t=this.mouseButtons.RIGHT;break;default:t=-1}switch(t){case Gl.DOLLY:if(this.enableZoom===!1)return;this._handleMouseDownDolly(e),this.state=xC.DOLLY;break;case Gl.ROTATE:if(e.ctrlKey||e.metaKey||e.shiftKey){if(this.enablePan===!1)return;this._handleMouseDownPan(e),this.state=xC.PAN}else{if(this.enableRotate===!1)return;this._handleMouseDownRotate(e),this.state=xC.ROTATE}break;case Gl.PAN:if(e.ctrlKey||e.metaKey||e.shiftKey){if(this.enableRotate===!1)return;this._handleMouseDownRotate(e),this.state=xC.ROTATE}else{if(this.enablePan===!1)return;this._handleMouseDownPan(e),this.state=xC.PAN}break;default:this.state=xC.NONE}this.state!==xC.NONE&&this.dispatchEvent(mC)}function OC(e){switch(this.state){case xC.ROTATE:if(this.enableRotate===!1)return;this._handleMouseMoveRotate(e);break;case xC.DOLLY:if(this.enableZoom===!1)return;this._handleMouseMoveDolly(e);break;case xC.PAN:if(this.enablePan===!1)return;this._handleMouseMovePan(e)}}function kC(e){this.enabled!==!1&&this.enableZoom!==!1&&this.state===xC.NONE&&(e.preventDefault(),this.dispatchEvent(mC),this._handleMouseWheel(this._customWheelEvent(e)),this.dispatchEvent(hC))}function AC(e){this.enabled!==!1&&this._handleKeyDown(e)}function jC(e){switch(this._trackPointer(e),this._pointers.length){case 1:switch(this.touches.ONE){case Kl.ROTATE:if(this.enableRotate===!1){this.state=xC.NONE;break}this._handleTouchStartRotate(e),this.state=xC.TOUCH_ROTATE;break;case Kl.PAN:if(this.enablePan===!1){this.state=xC.NONE;break}this._handleTouchStartPan(e),this.state=xC.TOUCH_PAN;break;default:this.state=xC.NONE}break;case 2:switch(this.touches.TWO){case Kl.DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchStartDollyPan(e),this.state=xC.TOUCH_DOLLY_PAN;break;case Kl.DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchStartDollyRotate(e),this.state=xC.TOUCH_DOLLY_ROTATE;break;default:this.state=xC.NONE}break;default:this.state=xC.NONE}this.state!==xC.NONE&&this.dispatchEvent(mC)}function MC(e){switch(this._trackPointer(e),this.state){case xC.TOUCH_ROTATE:if(this.enableRotate===!1)return;this._handleTouchMoveRotate(e),this.update();break;case xC.TOUCH_PAN:if(this.enablePan===!1)return;this._handleTouchMovePan(e),this.update();break;case xC.TOUCH_DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchMoveDollyPan(e),this.update();break;case xC.TOUCH_DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchMoveDollyRotate(e),this.update();break;default:this.state=xC.NONE}}function NC(e){this.enabled!==!1&&e.preventDefault()}function PC(e){e.key===`Control`&&(this._controlActive=!0,this.domElement.ownerDocument.addEventListener(`keyup`,this._interceptControlUp,{passive:!0,capture:!0}))}function FC(e){e.key===`Control`&&(this._controlActive=!1,this.domElement.ownerDocument.removeEventListener(`keyup`,this._interceptControlUp,{passive:!0,capture:!0}))}var IC=[`Free`,`Top`,`Behind robot`],LC=class{camera=new B_(38,1,.05,400);controls;name=`Free`;follows=!1;isTouched=!1;last;constructor(e,t){this.camera.up.set(0,0,1),this.controls=new CC(this.camera,e),this.controls.maxPolarAngle=1.7,this.controls.addEventListener(`change`,t),this.controls.addEventListener(`start`,()=>{this.isTouched=!0})}choose(e){this.name=e,this.isTouched=!1,this.last=void 0}fit(e,t,n){let r=!t.isEmpty()&&n?t.clone().expandByPoint(new Z(n[0],n[1],0)):e.clone();r.isEmpty()&&r.set(new Z(-2,-2,0),new Z(2,2,1));let i=r.getCenter(new Z),a=r.getSize(new Z);if(!n||t.isEmpty()){let e=a.length()*.5/Math.tan(this.camera.fov*Math.PI/360)*(a.z>.7*Math.max(a.x,a.y)?1.12:.92);this.look(i,new Z(.55,-.72,.48),this.name===`Top`?new Z(0,-.001,1):void 0,e);return}let o=Math.max(2.4,Math.hypot(a.x,a.y));if(this.name===`Top`){this.look(i,new Z(0,-.001,1),void 0,o*1.7+1);return}let s=new Z(n[0]-i.x,n[1]-i.y,0);s.length()<.3&&s.set(Math.cos(vt(n)),Math.sin(vt(n)),0),s.normalize().applyAxisAngle(new Z(0,0,1),-.3),this.look(i.lerp(new Z(n[0],n[1],0),.15),s.multiplyScalar(.83).add(new Z(0,0,.56)),void 0,o*1+2.2)}lookFrom(e,t,n){this.name===`Top`?this.look(new Z(e.x,e.y,n/2),new Z(.5,-1,.1),void 0,n*1.6):this.look(e,t.clone().sub(e),void 0,t.distanceTo(e))}look(e,t,n,r){this.last=void 0,this.controls.target.copy(e),this.camera.position.copy(e).addScaledVector((n??t).clone().normalize(),r),this.controls.update()}track(e,t=!1){if(!e)return;let n=new Z(e[0],e[1],e[2]);if(this.name===`Behind robot`){let t=vt(e);this.controls.target.copy(n).add(new Z(Math.cos(t)*.9,Math.sin(t)*.9,.1)),this.isTouched||this.camera.position.copy(n).add(new Z(-Math.cos(t)*1.7,-Math.sin(t)*1.7,1.05)),this.controls.update()}else if((this.follows||t)&&this.name!==`Top`&&this.last){let e=n.clone().sub(this.last);this.controls.target.add(e),this.camera.position.add(e),this.controls.update()}this.last=n}},RC=50,zC=.5,BC=[0,5,10].flatMap(e=>e?[0,1,2,3,4,5,6,7].map(t=>[e*Math.cos(t*Math.PI/4),e*Math.sin(t*Math.PI/4)]):[[0,0]]),VC=class{store;canvas;camera;things;changed;isOn=!1;line=new nh(new um,new o_({dashSize:.03,gapSize:.02,depthTest:!1}));held;ray=new lv;constructor(e,t,n,r,i){this.store=e,this.canvas=t,this.camera=n,this.things=r,this.changed=i,this.line.visible=!1,this.line.frustumCulled=!1,t.addEventListener(`pointerdown`,e=>this.take(e),{capture:!0}),t.addEventListener(`pointermove`,e=>this.move(e),{capture:!0});for(let e of[`pointerup`,`pointercancel`,`lostpointercapture`])t.addEventListener(e,()=>this.letGo());for(let e of[`blur`,`pagehide`])addEventListener(e,()=>this.letGo());setInterval(()=>void this.pull(),RC)}toggle(){let e=gn(this.store);!this.isOn&&e?Rt(e):(this.isOn=!this.isOn,this.letGo())}aim(e,t=0,n=0){let r=this.canvas.getBoundingClientRect();this.ray.setFromCamera(new X((e.clientX+t-r.left)/r.width*2-1,1-(e.clientY+n-r.top)/r.height*2),this.camera)}find(e){for(let[t,n]of BC){this.aim(e,t,n);let r=this.things.pick(this.ray);if(r)return r}}take(e){if(!this.isOn||e.button!==0)return;let t=this.find(e),n=t&&mn(this.store,t.frame);if(!t)return;let r=n?gn(this.store,n):`${t.frame}: no force moves it`;if(!n||r){Rt(r);return}e.stopImmediatePropagation(),this.canvas.setPointerCapture(e.pointerId);let i=this.camera.getWorldDirection(new Z);this.held={input:n,frame:t.frame,at:t.local,to:t.point,plane:new vm().setFromNormalAndCoplanarPoint(i,t.point),isAsked:!1},this.canvas.dataset.held=t.frame}move(e){if(!this.held)return;this.aim(e);let t=this.ray.ray.intersectPlane(this.held.plane,new Z);t&&(this.held.to=t),this.changed()}async pull(){let{held:e,store:t}=this;if(e&&!e.isAsked){e.isAsked=!0;try{await _n(t,e.input,[...e.at.toArray(),...e.to.toArray(),0].map(e=>Number(e.toFixed(4))),zC)}catch(t){Rt(`${vn(e.input.channel)}: ${t.message}`),this.held===e&&(this.held=void 0)}e.isAsked=!1,this.held!==e&&_n(t,e.input,null).catch(()=>void 0)}}letGo(){let{held:e}=this;this.held=void 0,delete this.canvas.dataset.held,this.changed(),e&&!e.isAsked&&_n(this.store,e.input,null).catch(e=>Rt(e.message))}show(){let e=this.held&&this.things.worldOf(this.held.frame,this.held.at);this.line.visible=e!==void 0,e&&(this.line.material.color.set(J.danger),this.line.geometry.setFromPoints([e,this.held.to]),this.line.computeLineDistances())}},HC=.22,UC=class{group=new sp;hits=0;points=new fh(new um,new sh({size:4,sizeAttenuation:!1,depthTest:!0}));fan=new Rm(new um,new Em({transparent:!0,side:2,depthWrite:!1}));scan;constructor(){this.group.add(this.points,this.fan),this.points.frustumCulled=this.fan.frustumCulled=!1,this.dress()}dress(){this.points.material.color.set(J.danger),this.fan.material.color.set(J.danger),this.fan.material.opacity=J.isLight?.09:.06}update(e,t){let n=V(e,`foxglove.LaserScan`),r=n?n.after(e.time)-1:-1,i=n?.message(r),a=i&&e.frames.inWorld(i.frame_id,n.times[r]);if(this.group.visible=t&&a!==void 0&&e.time-n.times[r]<2,!i||!a){this.hits=0;return}i!==this.scan&&(this.scan=i,this.build(i));let o=bt(i.pose?.position,i.pose?.orientation);o[2]||=HC,oS(this.group,_t(a,o))}build(e){let t=e.ranges.length,n=t>1?(e.end_angle-e.start_angle)/(t-1):0,r=[],i=[],a;e.ranges.forEach((t,o)=>{let s=Number.isFinite(t)&&t>.02,c=e.start_angle+o*n,l=[t*Math.cos(c),t*Math.sin(c)];s?(r.push(...l,0),a&&i.push(0,0,0,...a,0,...l,0),a=l):a=void 0}),this.hits=r.length/3;for(let[e,t]of[[this.points,r],[this.fan,i]])e.geometry.dispose(),e.geometry=new um,e.geometry.setAttribute(`position`,new Qp(t,3))}},WC=.175,GC=.12;function KC(){let e=new Em({color:zx(),transparent:!0,opacity:.22,depthWrite:!1,side:2}),t=new Rm(new yh(WC,WC,GC,32).rotateX(Math.PI/2),e),n=new Rm(new Hg(new ng().moveTo(.3,0).lineTo(.2,.06).lineTo(.2,-.06)),e);return t.position.z=GC/2,n.position.z=.02,new sp().add(t,n)}var qC=class{group=new sp;dress(){this.group.clear()}update(e,t){let n=V(e,`doppel.LocalizedPose`)?.at(e.time)??{},[r,i,a]=[`rival_x`,`rival_y`,`rival_theta`].map(e=>n[e]??[]);for(;this.group.children.length<r.length;)this.group.add(KC());return this.group.children.forEach((e,n)=>{e.visible=t&&n<r.length,e.position.set(r[n]??0,i[n]??0,0),e.rotation.z=a[n]??0}),r.length}},JC=.02,YC=4e3,XC=.5,ZC=()=>({times:[],points:[],next:-1/0}),QC=class{group=new sp;robot=new ZS(new XS,new AS({linewidth:3}));through=new ZS(new XS,new AS({linewidth:1.5,transparent:!0,opacity:.4,depthTest:!1}));avatar=new ZS(new XS,new AS({linewidth:7,dashed:!0,dashSize:.08,gapSize:.06}));edge=new ZS(new XS,new AS({linewidth:1.5,vertexColors:!0}));ribbon=new Rm(new um,new Em({vertexColors:!0,transparent:!0,side:2,depthWrite:!1}));ways={robot:ZC(),avatar:ZC()};heights=[];epoch=0;frameSeen=``;constructor(){let e=[this.avatar,this.robot,this.through,this.ribbon,this.edge];e.forEach((e,t)=>{e.frustumCulled=!1,e.renderOrder=t}),this.group.add(...e),this.dress()}dress(){this.robot.material.color.set(J.real),this.through.material.color.set(J.real),this.avatar.material.color.set(J.avatar),this.heights.length>1&&this.build()}get box(){return new jp().setFromArray([...this.ways.robot.points])}take(e){let{robot:t,avatar:n}=pe(e),r=`${t} ${n}`;if((e.epoch!==this.epoch||r!==this.frameSeen)&&(this.epoch=e.epoch,this.frameSeen=r,this.ways={robot:ZC(),avatar:ZC()},this.heights=[]),[t&&this.extend(this.ways.robot,e,t,.016),n&&this.extend(this.ways.avatar,e,n,.012)].some(Boolean)){let t=z(e),n=t&&e.numbers(t.distance.topic,t.distance.path,t.distance.factor),{times:r}=this.ways.robot,i=/^[uµ]m$/.test(t?.distance.unit??``)?1e-6:.001;this.heights.length=Math.min(this.heights.length,r.length);for(let e=this.heights.length;e<r.length;e++)this.heights.push((n?.at(r[e])??0)*i);this.build()}}extend(e,t,n,r){let i=t.frames.tracks.get(n),a=e.times.length;if(!i)return!1;for(let a=0;a<i.times.length;a++){let o=i.times[a];if(o<=e.next)continue;e.next=o;let s=t.frames.inWorld(n,o),c=e.points.length;!s||c>0&&Math.hypot(s[0]-e.points[c-3],s[1]-e.points[c-2])<JC||(e.times.push(o),e.points.push(s[0],s[1],s[2]+r))}if(e.times.length>YC){let t=e.times.length-YC;return e.times.splice(0,t),e.points.splice(0,3*t),e===this.ways.robot&&this.heights.splice(0,t),!0}return e.times.length!==a}build(){let{robot:e,avatar:t}=this.ways;if(e.times.length>1)for(let t of[this.robot,this.through])t.geometry.dispose(),t.geometry=new XS().setPositions(e.points);if(t.times.length>1&&(this.avatar.geometry.dispose(),this.avatar.geometry=new XS().setPositions(t.points),this.avatar.computeLineDistances()),e.times.length<2||this.heights.length<2)return;let n=Math.min(e.times.length,this.heights.length),r=new Float32Array(n*6),i=new Float32Array(n*8),a=[],o=[],s=[],c=new Q(J.ok),l=new Q(`#9aa4b0`),u=new Q(J.danger),d=new Q;for(let t=0;t<n;t++){let n=this.heights[t],f=e.points.slice(3*t,3*t+3),p=Math.min(XC,n*50),m=Math.log(Math.max(n,1e-6)/.005)/Math.LN2;if(m<=1?d.copy(c).lerp(l,Math.max(0,m)):d.copy(l).lerp(u,Math.min(1,m-1)),r.set([...f,f[0],f[1],f[2]+p],t*6),i.set([d.r,d.g,d.b,.06,d.r,d.g,d.b,.55],t*8),a.push(f[0],f[1],f[2]+p),o.push(d.r,d.g,d.b),t>0){let e=2*t;s.push(e-2,e-1,e,e-1,e+1,e)}}let f=new um;f.setAttribute(`position`,new Yp(r,3)),f.setAttribute(`color`,new Yp(i,4)),f.setIndex(s),this.ribbon.geometry.dispose(),this.ribbon.geometry=f,this.edge.geometry.dispose(),this.edge.geometry=new XS().setPositions(a).setColors(o)}show(e,t){let n=t=>{let n=t.times.length;for(;n>0&&t.times[n-1]>e.time+1e-6;)n--;return n},r=n(this.ways.robot),i=n(this.ways.avatar),a=t.has(`trails`),o=(e,t,n)=>{e.visible=n&&t>1,e.geometry.instanceCount=Math.max(0,t-1)};o(this.robot,r,a&&t.has(`robot`)),o(this.through,r,a&&t.has(`robot`)),o(this.avatar,i,a&&t.has(`avatar`));let s=ue(e)&&t.has(`error ribbon`);o(this.edge,r,s),this.ribbon.visible=s&&r>1,this.ribbon.geometry.setDrawRange(0,Math.max(0,r-1)*6)}};function $C(){let e=new sp,t=new Rm(new Bg(200,200),new Em({color:J.floor})),n=new xv(80,80,J.line,J.line);return t.position.z=-.004,n.rotation.x=Math.PI/2,n.material.transparent=!0,n.material.opacity=J.isLight?.9:.55,e.add(t,n),e}function ew(){return new sp().add(new Sv(.35))}var tw=class{context;canvas=U(`canvas`,{tabindex:`0`,"aria-label":`3-D view: drag turns, the wheel zooms, arrow keys of the timeline move time`,role:`img`});over=U(`canvas`,{class:`over`,"aria-hidden":`true`});notice=U(`div`,{class:`notice`});hits=U(`span`,{class:`dim`});chips;legend=U(`div`,{class:`legend`},`ribbon: distance × 50`,U(`i`,{}),U(`div`,{},U(`span`,{},`1`),U(`span`,{},`5`),U(`span`,{},`20 mm`)));buttons;followButton;dragButton;drag;element;renderer;scene=new gp;cameras;things=new rS;robot=new tC(`robot`);avatar=new tC(`avatar`);laser=new UC;rivals=new qC;trails=new QC;lens=new uC;second=new aC;frames=new sp;floor=new sp;hemisphere=new O_;sun=new U_(`#ffffff`);seen=``;isFitted=!1;needsFrame=!0;takenAt=0;constructor(e){this.context=e,this.renderer=new Ix({canvas:this.canvas,antialias:!0,preserveDrawingBuffer:!0}),this.renderer.toneMapping=0,this.cameras=new LC(this.canvas,()=>{this.needsFrame=!0});let t=(e,t,...n)=>U(`span`,{class:`word`},U(`span`,{class:`dot ${e}`}),t,` `,...n);this.drag=new VC(e.store,this.canvas,this.cameras.camera,this.things,()=>{this.needsFrame=!0}),this.dragButton=U(`button`,{id:`drag`,title:`press on a body, and drag it: the world pulls it there`,click:()=>{this.drag.toggle(),this.cameras.isTouched=!0,this.update()}},U(`span`,{class:`key`},`h`),` drag bodies`),this.chips={robot:t(`real`,`robot`,U(`span`,{class:`dim`},`solid`)),avatar:t(`dashed avatar`,`avatar`,U(`span`,{class:`dim`},`glass, dashed`)),laser:t(`danger`,`laser`,this.hits)},this.buttons=IC.map(e=>[e,U(`button`,{click:()=>this.choose(e)},e)]),this.followButton=U(`button`,{id:`follow`,click:()=>this.follow()},U(`span`,{class:`key`},`f`),` follow`),this.element=U(`section`,{class:`scene`,"aria-label":`3-D view`},this.canvas,this.over,this.legend,this.lens.element,this.notice,U(`div`,{class:`chips`},...Object.values(this.chips),U(`span`,{class:`space nothing`}),...this.buttons.map(([,e])=>e),this.followButton,this.dragButton)),this.scene.add(this.floor,this.things.group,this.trails.group,this.laser.group,this.rivals.group,this.second.group,this.robot.group,this.avatar.group,this.frames,this.drag.line,this.hemisphere,this.sun),this.sun.position.set(-6,1,7),this.hemisphere.position.set(0,0,1),this.dress(),Pt(()=>this.dress()),e.layers.onChange(()=>{this.needsFrame=!0}),document.addEventListener(`camera`,e=>{let t=e.detail;t===`follow`?this.follow():t===`fit`?(this.isFitted=!1,this.needsFrame=!0):this.choose(IC[(IC.indexOf(this.cameras.name)+1)%IC.length])});let n=()=>{this.draw(),requestAnimationFrame(n)};requestAnimationFrame(n)}choose(e){this.cameras.choose(e),e!==`Behind robot`&&this.fit(),this.needsFrame=!0}follow(){this.cameras.follows=!this.cameras.follows,this.needsFrame=!0}dress(){this.floor.clear(),this.floor.add($C()),this.scene.background=new Q(J.bg0),this.scene.fog?.color.set(J.bg0),this.hemisphere.color.set(`#ffffff`),this.hemisphere.groundColor.set(J.isLight?`#b8c2cc`:`#404a58`),this.hemisphere.intensity=J.isLight?1.55:1.6,this.sun.intensity=J.isLight?1.6:1.7;for(let e of[this.robot,this.avatar,this.laser,this.rivals,this.trails,this.second])e.dress();this.seen=``,this.needsFrame=!0}robotPose(){let{store:e}=this.context,{robot:t,avatar:n}=pe(e);return(t?e.frames.inWorld(t,e.time):void 0)??(n?e.frames.inWorld(n,e.time):void 0)}fit(){let{store:e}=this.context,t=this.trails.box.union(this.second.box),n=t.getSize(new Z),r=this.things.boundsOfBodies(),i=pe(e).robot!==void 0&&(Math.hypot(n.x,n.y)>.6||e.frames.tracks.has(`odom`)),a=r.clone().union(this.things.box),o=a.getSize(new Z),s=!i&&o.z>4*Math.max(o.x,o.y)?this.things.climber(e):void 0;this.climber=s;let c=s&&e.frames.inWorld(s,e.time);if(c)this.cameras.lookFrom(new Z(c[0]+.02,c[1]-.2,c[2]+.4),new Z(c[0]+2.5,c[1]-6.3,c[2]+1.9),o.z);else{let e=!i&&Math.max(o.x,o.y)>6*r.getSize(new Z).length();this.cameras.fit(e&&!r.isEmpty()?r:a,i?t:new jp,i?this.robotPose():void 0)}this.floor.position.z=a.isEmpty()||this.isPlanar()?0:Math.min(0,a.min.z);let l=this.cameras.camera.position.distanceTo(this.cameras.controls.target);this.scene.fog=new hp(J.bg0,l*1.2,l*2.8+2)}climber;isPlanar(){return this.context.store.frames.tracks.has(`odom`)}update(){let{store:e,layers:t}=this.context;for(let[e,t]of this.buttons)t.setAttribute(`aria-pressed`,String(e===this.cameras.name));this.followButton.setAttribute(`aria-pressed`,String(this.cameras.follows));let{robot:n,avatar:r}=pe(e);this.chips.robot.hidden=!n&&!this.things.hasAmber,this.chips.avatar.hidden=!r&&!this.things.hasAvatar,this.chips.laser.hidden=this.laser.hits===0||e.other!==void 0,e.other&&!this.chips.avatar.querySelector(`.badge`)&&this.chips.avatar.replaceChildren(...ke(e)),W(this.hits,`${this.laser.hits} hits`),this.legend.hidden=!ue(e)||!t.has(`error ribbon`),this.dragButton.hidden=e.isRecording||!un(e).some(pn),this.dragButton.setAttribute(`aria-pressed`,String(this.drag.isOn));for(let e of[this.buttons[2][1],this.followButton])e.hidden=!n&&!r;let i=!this.things.group.children.some(e=>e.children.length||e instanceof Rm)&&!n&&!r;W(this.notice,i?e.link===`connecting`?`connecting to the run`:e.topics.size===0?`waiting for the first message`:`this run shows no world: its values are at the right`:``)}draw(){let{store:e,layers:t}=this.context,n=performance.now(),r=`${e.cursor===void 0?e.version:e.frames.version} ${e.time} ${e.marks.A} ${this.canvas.clientWidth} ${this.canvas.clientHeight} ${e.epoch}`;if(e.view!==`scene`||e.isReading||!this.needsFrame&&r===this.seen)return;this.seen=r,this.needsFrame=!1;let{robot:i,avatar:a}=pe(e),o=i!==void 0&&e.frames.tracks.has(`odom`);(n-this.takenAt>200||e.isRecording)&&(this.takenAt=n,this.trails.take(e)),this.things.update(e,t,o),this.things.hasWay=pe(e).robot!==void 0,this.things.place(e,t);for(let[n,r,s]of[[this.robot,i,`robot`],[this.avatar,a,`avatar`]]){let i=r&&o?e.frames.inWorld(r,e.time):void 0;n.show(i!==void 0&&t.has(s),s===`robot`?this.things.hasRobot:this.things.hasAvatar),i&&oS(n.group,i)}this.drag.show(),this.laser.update(e,t.has(`laser`)),this.element.dataset.rivals=String(this.rivals.update(e,t.has(`robot`))),this.trails.show(e,t),this.second.update(e),this.drawFrames();let s=this.robotPose();(!this.isFitted||n-this.fittedAt>4e3)&&(s!==void 0||!this.things.boundsOfBodies().isEmpty()||!this.things.box.isEmpty())&&(!this.isFitted||!this.cameras.isTouched&&this.cameras.name===`Free`&&!this.cameras.follows&&e.link===`live`)&&(this.isFitted=!0,this.fittedAt=n,this.fit()),this.cameras.track(s??(this.climber?e.frames.inWorld(this.climber,e.time):void 0),this.climber!==void 0),this.resize(),this.renderer.render(this.scene,this.cameras.camera);let c=s?vt(s)-this.azimuth():0;this.lens.draw(e,c,t.has(`lens`)),this.drawLabels(s?new Z(s[0],s[1],s[2]+.06):void 0),this.element.dataset.calls=String(this.renderer.info.render.calls),this.element.dataset.ms=(performance.now()-n).toFixed(2)}fittedAt=0;azimuth(){let e=new Z().setFromMatrixColumn(this.cameras.camera.matrixWorld,0);return Math.atan2(e.y,e.x)}drawFrames(){let{store:e,layers:t}=this.context;if(this.frames.visible=t.has(`frames`),!this.frames.visible)return;let n=[...e.frames.tracks.keys()];for(;this.frames.children.length<n.length;)this.frames.add(ew());n.forEach((t,n)=>{let r=e.frames.inWorld(t,e.time);this.frames.children[n].visible=r!==void 0,r&&oS(this.frames.children[n],r)})}resize(){let e=this.canvas.clientWidth,t=this.canvas.clientHeight,n=this.renderer.getSize(new X);(n.x!==e||n.y!==t)&&(this.renderer.setPixelRatio(Math.min(2,devicePixelRatio||1)),this.renderer.setSize(e,t,!1),this.cameras.camera.aspect=e/Math.max(1,t),this.cameras.camera.updateProjectionMatrix())}project(e){let t=e.clone().project(this.cameras.camera);return t.z<1&&Math.abs(t.x)<1.1&&Math.abs(t.y)<1.1?[(t.x+1)/2*this.canvas.clientWidth,(1-t.y)/2*this.canvas.clientHeight]:void 0}drawLabels(e){let t=be(this.over);if(!t)return;let n=e&&!this.lens.element.hidden?this.project(e):void 0;if(n){let e=this.lens.element.classList.contains(`centre`),r=e?77:117,i=e?116:this.over.clientWidth-16-118,a=this.over.clientHeight-14-36-r-1,o=Math.atan2(n[1]-a,n[0]-i);if(Math.hypot(n[0]-i,n[1]-a)>150){t.strokeStyle=J.dim,t.lineWidth=1;for(let e of[1.1,-1.1])t.beginPath(),t.moveTo(n[0],n[1]),t.lineTo(i+r*Math.cos(o+e),a+r*Math.sin(o+e)),t.stroke()}}[...this.things.forces,...this.second.labels,...this.things.labels].slice(0,6).forEach((e,n)=>this.drawLabel(t,e,n))}drawLabel(e,t,n){let r=this.project(t.at);if(!r)return;e.font=`600 11px Inter, system-ui, sans-serif`;let i=e.measureText(t.text).width+16,a=r[0]+(n%2?30:-30-i),o=r[1]-52;e.strokeStyle=e.fillStyle=t.role===`force`?J.danger:t.role===`robot`?J.real:J.avatar,e.lineWidth=1,e.beginPath(),e.arc(r[0],r[1],2.5,0,7),e.fill(),e.beginPath(),e.moveTo(r[0],r[1]),e.lineTo(a+i/2,o+20),e.stroke(),e.fillStyle=J.bg1,e.fillRect(a,o,i,20),e.strokeRect(a+.5,o+.5,i-1,19),e.textAlign=`left`,Ys(e,t.text,a+8,o+14)}},nw={name:`scene`,place:`main`,fits:()=>!0,make:rw};function rw(e){try{return new tw(e)}catch(e){return console.warn(e),{element:U(`section`,{class:`scene`,"aria-label":`3-D view`},U(`div`,{class:`notice`},`No 3-D view: this browser offers no WebGL. Everything else of the page works.`)),update(){}}}}var iw=[`x`,`y`,`z`,`roll`,`pitch`,`yaw`],aw=[`force_x`,`force_y`,`force_z`,`torque_x`,`torque_y`,`torque_z`],ow=[`Fx`,`Fy`,`Fz`,`Mx`,`My`,`Mz`],sw={m:[`mm`,1e3,2],rad:[`°`,180/Math.PI,3],N:[`N`,1,1],"N m":[`N m`,1,2]};function cw(e,t){for(let n of e.topics.values())if(L(n.name)&&n.length>0&&t.every(e=>n.facts.has(e)))return n}var lw={name:`six`,place:`right`,fits:e=>cw(e,iw)!==void 0,make({store:e}){let t=(e,t)=>e.map((n,r)=>{let i=U(`canvas`,{"aria-hidden":`true`}),a=U(`span`,{class:`num`});return{names:e,path:n,line:i,value:a,row:U(`div`,{class:`axis`},U(`span`,{},t[r]),i,a)}}),n=t(iw,iw),r=t(aw,ow),i=(e,t)=>U(`div`,{},U(`small`,{class:`dim small`},e),...t.map(e=>e.row)),a=i(`force and torque`,r);return{element:K(`Pose and force`,``,U(`div`,{class:`halves`},i(`pose`,n),a)),update(){for(let{names:t,path:i,line:a,value:o}of[...n,...r]){let n=cw(e,t),r=n?.facts.get(i)?.unit??``,[s,c,l]=sw[r]??[r,1,2],u=n&&e.numbers(n.name,i,c);G(o,q(u?.at(e.time),l),s),$s(a,u,e.time,20)}a.hidden=cw(e,aw)===void 0}}}},uw=class{store;said=U(`small`,{role:`status`,"aria-label":`What was kept`});buttons=[U(`button`,{class:`mark`,id:`save`,"aria-label":`Save the last 60 s`,title:`the last 60 s as a recording in the folder of the run`,click:()=>this.ask(()=>this.save())},`⤓`),U(`button`,{class:`mark`,id:`bench`,"aria-label":`Make a bench of this`,title:`the run until now as a bench that repeats it, in the folder of the run`,click:()=>this.ask(()=>this.bench())},`⟲`)];constructor(e){this.store=e}show(e){for(let t of this.buttons)t.hidden=!e||!this.store.services.has(`/run/${t.id}`)}ask(e){e().then(e=>{this.said.textContent=e,Rt(e)},e=>Rt(e.message))}async save(){let{file:e,from_s:t,to_s:n}=JSON.parse(await kt(this.store,`/run/save`));return`${(n-t).toFixed(1)} s are in ${e}`}async bench(){let e=Et(this.store).state!==`paused`;e&&await kt(this.store,`/run/pause`);try{let{file:e,to_s:t}=JSON.parse(await kt(this.store,`/run/bench`));return`${t.toFixed(3)} s are repeated by ${e}`}finally{e&&await kt(this.store,`/run/resume`)}}};function dw(e,t){let n=e.services.get(`/run/note`),r=document.activeElement;if(!n||t.querySelector(`.note`))return;let i=U(`input`,{class:`note`,type:`text`,maxlength:`200`,placeholder:`note for the log and the recording: Enter writes it`,"aria-label":`Note`,blur:()=>i.remove(),keydown:e=>{e.key===`Enter`&&i.value.trim()!==``&&(e.preventDefault(),n.call({text:i.value.trim()}).catch(e=>Rt(e.message)),i.blur(),r?.focus())}});t.append(i),i.focus()}var fw=6,pw=20,mw=14;function hw(e,{x:t,from:n,to:r,w:i}){let a=r-n,o=[1,2,5,10,20,30,60,120,300,600,1800,3600].find(e=>i/a*e>80)??7200;e.fillStyle=J.dim,e.textAlign=`center`;for(let a=Math.ceil(n/o)*o;a<=r+1e-6;a+=o)e.fillRect(Math.round(t(a)),40,1,4),e.fillText(we(a,0),Math.min(Math.max(t(a),16),i-16),56)}function gw(e,t,{x:n,from:r,to:i,w:a}){e.fillStyle=J.bg0,e.fillRect(0,fw,a,19);let o=z(t),s=o&&t.numbers(o.distance.topic,o.distance.path,o.distance.factor);if(!s)return;e.strokeStyle=J.dim,e.lineWidth=1,e.beginPath();let c=Math.max(1,Math.floor(s.times.length/(a*2))),l=!1;for(let t=0;t<s.times.length;t+=c){let a=s.values[t],o=s.times[t];if(a==null||o<r||o>i){l=!1;continue}let c=23-Math.max(0,Math.min(1,Math.log10(Math.max(a,1))/2.3))*15;l?e.lineTo(n(o),c):e.moveTo(n(o),c),l=!0}e.stroke()}function _w(e,t,{x:n,w:r}){let i=H(t),a=i&&t.topics.get(i.topic);if(e.fillStyle=J.bg2,e.fillRect(0,26,r,mw),!a||!i)return;let o=new Map,s=[[J.band,J.text],[J.wall,J.text],[J.text,J.bg1],[J.object,J.text]],c=a.length;for(let t=0;t<c;){let r=String(a.message(t)?.[i.path]),l=t+1;for(;l<c&&String(a.message(l)?.[i.path])===r;)l++;o.has(r)||o.set(r,s[o.size%s.length]);let u=n(a.times[t]),d=n(l<c?a.times[l]:a.times[c-1]),[f,p]=o.get(r);e.fillStyle=f,e.fillRect(u,26,Math.max(d-u-1,.5),mw),d-u>e.measureText(r).width+10&&(e.fillStyle=p,e.textAlign=`left`,e.fillText(r,u+6,37)),t=l}}function vw(e,t,{x:n,from:r,w:i}){let a=0;for(let o of ce(t)){if(o.time<r)continue;let t=n(o.time),s=o.isFault?J.danger:J.text;e.fillStyle=s,e.fillRect(t-.5,fw,1,pw),e.beginPath(),e.moveTo(t,2),e.lineTo(t-4,9),e.lineTo(t+4,9),e.fill();let c=e.measureText(o.text).width;t+7>a&&t+c+10<i&&(e.textAlign=`left`,Ys(e,o.text,t+7,18,s,J.bg0),a=t+c+16)}}var yw={name:`timeline`,place:`line`,fits:()=>!0,make({store:e}){let t=U(`canvas`,{"aria-hidden":`true`}),n=U(`span`,{}),r=U(`small`,{}),i=U(`button`,{id:`live`,click:()=>e.show(e.isRecording?e.end:void 0)}),a=U(`input`,{type:`range`,id:`time`,"aria-label":`Time that is shown`,step:`any`,min:`0`,max:`1`,input:()=>e.show(Number(a.value))}),o=U(`div`,{class:`track`},t,a,U(`div`,{class:`ring`})),s=t=>e.show(e.start+(t.clientX-o.getBoundingClientRect().left)/o.clientWidth*(e.end-e.start));a.addEventListener(`pointerdown`,e=>{e.preventDefault(),a.focus(),a.setPointerCapture(e.pointerId),s(e)}),a.addEventListener(`pointermove`,e=>{e.buttons&&s(e)});let c=new $t(e,o),l=c.row,u=U(`button`,{class:`mark`,id:`note`,"aria-label":`Write a note`,title:`a note in the log and in the recording, now`,click:()=>dw(e,o)},`✎`),d=new uw(e);return l.append(u,...d.buttons),{element:U(`section`,{class:`timeline`,"aria-label":`Timeline`},U(`div`,{class:`title`},n,r,d.said),o,U(`div`,{class:`state`},i,l)),update(){let o=be(t),s=e.start,l=Math.max(e.end,s+1),f=t.clientWidth;W(n,e.isRecording?`${(e.end-s).toFixed(0)} s recorded`:`${Math.min(60,Math.max(0,e.end-s)).toFixed(0)} s kept`),d.show(e.link===`live`&&e.role===`control`),u.hidden=e.link!==`live`||e.role!==`control`||!e.services.has(`/run/note`),W(r,c.words||[z(e)?`distance`:``,H(e)?`robot state`:``].filter(Boolean).join(`, `)||`events`);let p=e.cursor===void 0,m=e.isRecording?`Recorded`:p?`Live`:`Back to live`;if(i.dataset.text!==m+e.link&&(i.dataset.text=m+e.link,i.replaceChildren(...e.isRecording?[]:[U(`span`,{class:`dot ${p&&e.link===`live`?`ok`:`dim`}`})],m)),a.min=String(s),a.max=String(l),a.value=String(e.time),a.setAttribute(`aria-valuetext`,we(e.time)),!o)return;let h={x:e=>(e-s)/(l-s)*(f-1),from:s,to:l,w:f};o.font=`11px Inter, system-ui, sans-serif`,gw(o,e,h),_w(o,e,h),vw(o,e,h),hw(o,h),c.update(h.x);let g=Math.min(h.x(e.time),f-2);o.fillStyle=J.text,o.fillRect(g-1,2,2,42),o.beginPath(),o.arc(g,26,5,0,7),o.fill()}}}},bw={told:`the start is as told, nothing contradicts it`,proven:`proven: the scans exclude every other place`,followed:`proven before, and followed since`},xw={start:`the start is not proven yet`,moved:`the scan before does not foretell this one`,relocated:`the pose jumped`,outranked:`another place explains the scans better`,returned:`the laser is back, the place is not proven again`,no_place:`no place explains the scans`,no_scans:`no scans`,untested:`scans that could not show a wrong place`,fit:`beams go through what the plan has`,drift:`scans pull the pose from odometry`,rival:`another place explains the scans nearly as well`,accuracy:`the protection level is too high`},Sw=new Set([`OK`,`INIT`,`follows`]),Cw={name:`twin`,place:e=>kc(e)?`bottom`:`right`,fits:e=>z(e)!==void 0,make({store:e}){let t=U(`span`,{}),n=U(`div`,{class:`value`,id:`distance`}),r=U(`div`,{}),i=U(`div`,{}),a=U(`div`,{class:`dim`,id:`basis`}),o=new Qs({height:kc(e)?124:154,log:!0,onPick:t=>e.show(t),marks:()=>ce(e).filter((e,t,n)=>t===0||e.time-n[t-1].time>8).slice(-3).map(e=>({time:e.time,text:e.text})),labels:()=>[...z(e)?.limit?[{curve:1,text:`protection level`}]:[],...z(e)?.rms?[{curve:-3,text:`RMS 5 s`}]:[]]}),s=K(`Twin`,t,U(`div`,{class:`big-number`},U(`div`,{class:`first`},n,U(`small`,{},`robot to avatar`)),U(`div`,{class:`second`},r,U(`small`,{},`protection level`)),U(`div`,{class:`second`},i,U(`small`,{},`RMS 5 s`))),a,o.element),c=(t,n)=>{G(t,q(B(e,n),1),n?.unit??``),t.parentElement.hidden=!n};return{element:s,update(){let s=z(e);if(!s)return;let l=s.state?String(e.value(s.state.topic,s.state.path)??``):``;t.dataset.text!==l&&(t.dataset.text=l,t.replaceChildren(...l?[U(`span`,{class:Sw.has(l)?`ok`:`danger`},U(`span`,{class:`dot`}),l)]:[]));let u=t=>{let n=R(e,t);return n?String(e.value(n.topic,n.path)??``):``};W(a,bw[u(`basis`)]??xw[u(`reason`)]??``),c(n,s.distance),c(r,s.limit),c(i,s.rms);let d=[],f=(t,n)=>{let r=t&&e.numbers(t.topic,t.path,t.factor);r&&d.push({...n,series:r})};f(s.limit,{label:`protection level`,width:1,colour:()=>J.dim,dash:[2,3],band:!0}),f(s.distance,{label:`distance`,width:1,colour:()=>J.dim}),f(s.rms,{label:`RMS`,width:2.5,colour:()=>J.text}),o.draw(d,e.start,e.end,e.time)}}}},ww=`/verdicts`,Tw={passed:`✓`,failed:`✗`,error:`!`,runs:`▶`};function Ew(e,t){let n=e.topics.get(ww),r=[];for(let e=0;n&&e<n.after(t);e++){let t={...n.message(e),time:n.times[e]},i=r[r.length-1];i&&i.step===t.step&&i.number===t.number&&i.verdict!==`runs`&&t.verdict!==`runs`?i.measures.push(t):i&&i.step===t.step&&i.verdict===`runs`?Object.assign(i,t):r.push({...t,measures:[],begun:t.time})}return r}function Dw({min:e,max:t}){let n=typeof e==`number`,r=typeof t==`number`,i=e=>Ce(e).replace(/(\.\d*?)0+$/,`$1`).replace(/\.$/,``);return n&&r?`${i(e)} … ${i(t)}`:r?`≤ ${i(t)}`:n?`≥ ${i(e)}`:``}var Ow=e=>typeof e?.value==`number`?`${Ce(e.value)}${e.unit?` ${e.unit}`:``}`:``,kw=e=>e.number?/^\d/.test(e.step)?e.step:`${String(e.number).padStart(2,`0`)} ${e.step}`:`${e.step}: ${e.name}`;function Aw(e,t,n,r,i,a){let o=e.verdict===`failed`||e.verdict===`error`;return U(a?`button`:`div`,{class:`verdict${o?` bad`:``}`,title:e.text||n,...a?{click:a}:{}},U(`span`,{class:e.verdict===`passed`?`ok`:o?`danger`:``},t),U(`span`,{},n),U(`span`,{class:`num`},r),U(`span`,{class:`num dim`},i))}var jw=[Yt,cc,jl,{name:`verdicts`,place:`left`,width:320,fits:e=>(e.topics.get(ww)?.length??0)>0,make({store:e}){let t=U(`span`,{}),n=U(`div`,{class:`verdicts`,role:`list`,"aria-label":`Steps`}),r=U(`h2`,{}),i=U(`div`,{class:`right`}),a=U(`div`,{class:`verdicts`,"aria-label":`Measures`}),o=``,s;return{element:K(`Verdicts`,t,n,U(`header`,{class:`head`},r,i),a),update(){let c=Ew(e,e.time),l=e=>c.filter(t=>t.verdict===e).length,u=l(`error`);W(t,`${l(`passed`)}${c[0]?.count?` of ${q(c[0].count,0)}`:``} passed, ${l(`failed`)} failed${u?`, ${u} error${u>1?`s`:``}`:``}`);let d=`${c.length} ${c[c.length-1]?.verdict} ${c[c.length-1]?.measures.length} ${s} ${e.epoch}`;if(d===o)return;o=d;let f=s!==void 0&&s<c.length?s:c.length-1,p=c[f];n.replaceChildren(...c.map((t,n)=>{let r=kw(t),i=t.measures.find(e=>typeof e.value==`number`&&Dw(e)!==``)??t.measures.find(e=>typeof e.value==`number`),a=Aw(t,Tw[t.verdict]??``,r,Ow(i),i?Dw(i):``,()=>{s=n,e.show(t.time)});return a.setAttribute(`role`,`listitem`),ye(a,`chosen`,n===f),a})),s===void 0&&(n.scrollTop=n.scrollHeight),W(r,p?p.number?`Step ${kw(p)}`:p.step:``),W(i,p?p.verdict===`runs`?`runs`:p.time>p.begun?`${p.verdict}, ${q(p.time-p.begun,3)} s`:p.verdict:``),a.replaceChildren(...p?.text?[U(`div`,{class:p.verdict===`passed`?`dim`:`danger`},p.text)]:[],...(p?.measures??[]).map(e=>Aw(e,Tw[e.verdict]??``,e.name,Ow(e),Dw(e))))}}}},Ln,ac,tl,Dn,xS,cn,CS,nw,Bl,Fc,Ac,lw,lc,Cw,jn,nc,pl,Cl,uc,TS,zc,dc,ES,yw],Mw=[Yt,cc,CS,nw,Bl,lc,uc,dc,yw];It();var Nw=new wt,Pw=new Bt,Fw=new class{isPlaying=!1;speed=1;play(e){e&&Nw.time>=Nw.end&&Nw.show(Nw.start),this.isPlaying=e,Nw.changed()}setSpeed(e){this.speed=e}advance(e){this.isPlaying&&(Nw.show(Nw.time+e*this.speed),Nw.time>=Nw.end&&this.play(!1))}},Iw={store:Nw,layers:Pw,player:Fw},Lw=Object.fromEntries([`top`,`left`,`main`,`under`,`right`,`bottom`,`line`].map(e=>[e,U(e===`main`?`main`:`div`,{id:e})]));document.body.append(U(`div`,{id:`app`},...Object.values(Lw)));var Rw=new Map,zw=!0,Bw=!1,Vw=e=>Lw[typeof e.place==`function`?e.place(Nw):e.place];function Hw(e,t){let n=Rw.get(e)??e.make(Iw),r=jw.slice(jw.indexOf(e)+1).map(e=>Rw.get(e)?.element).find(e=>e?.parentElement===t);Rw.set(e,n),t.insertBefore(n.element,r??null)}function Uw(){let e=jw.filter(e=>Rw.get(e)?.element.isConnected),t=(t,n)=>Math.max(n,...e.filter(e=>e.place===t).map(e=>e.width??0)),n=`${t(`left`,288)} ${t(`right`,344)}`,r=document.getElementById(`app`);if(r.dataset.columns===n)return;r.dataset.columns=n;let[i,a]=n.split(` `);r.style.setProperty(`--left`,`${i}px`),r.style.setProperty(`--right`,`${a}px`)}function Ww(){Nw.forget();let e=Nw.other?Mw:jw;for(let t of jw){if(t.place===`main`&&!Bw)continue;let n=Rw.get(t),r=n?.element.parentElement,i=e.includes(t)&&t.fits(Nw)?Vw(t):void 0;r===(i??null)&&n||(i?Hw(t,i):n?.element.remove())}Uw(),Rw.forEach(e=>{e.element.isConnected&&e.update()})}Nw.onChange(()=>{zw=!0}),Pw.onChange(()=>{zw=!0}),Pt(()=>{zw=!0});var Gw=-1,Kw=0,qw=performance.now();function Jw(e){Fw.advance((e-qw)/1e3),qw=e,(zw||Nw.version!==Gw)&&!Nw.isReading&&e-Kw>95&&(Gw=Nw.version,zw=!1,Kw=e,Ww()),requestAnimationFrame(Jw)}Qw().catch(e=>Rt(`this cannot be shown: ${e.message}`)),Ww(),requestAnimationFrame(e=>{Bw=!0,Jw(e),document.body.dataset.shownMs=e.toFixed(0)}),tn(Iw);async function Yw(e,t){let n=await fetch(e,{headers:{authorization:`Bearer ${t}`}});if(!n.ok)throw Error(`${e}: ${(await n.text()).trim()}`);return n.arrayBuffer()}async function Xw(e){let t=[Nw,...e.slice(1).map(()=>new wt)];for(let[n,{bytes:r,name:i}]of e.entries())Nw.isReading=!0,await I(t[n],r,i,t=>Rt(`reading the recording${e.length>1?` ${n+1}`:``}: ${Math.round(t*100)} %`));Nw.isReading=!1,t[1]&&Zw(t[1]),document.querySelector(`.toast`)?.remove(),document.dispatchEvent(new CustomEvent(`camera`,{detail:`fit`})),Nw.changed(),document.body.dataset.ready=`yes`}function Zw(e){Nw.other=e,Nw.marks={A:Ke(Nw,e),B:Nw.end},document.getElementById(`app`).classList.add(`pair`);for(let e of[`error ribbon`,`lens`,`laser`])Pw.has(e)&&Pw.toggle(e)}async function Qw(){let e=[...document.querySelectorAll(`.recording`)],t=/[#&]t=([0-9a-f]{32})/.exec(location.hash)?.[1],n=/[#&]r=([0-9a-f]{32})/.exec(location.hash)?.[1];if(e.length)await new Promise(requestAnimationFrame),await Xw(e.map(e=>({bytes:Uint8Array.from(atob(e.textContent),e=>e.charCodeAt(0)),name:e.dataset.name??`recording`})));else if(n){let e=[...location.hash.matchAll(/&n=([^&]*)/g)].map(e=>decodeURIComponent(e[1]));await Xw(await Promise.all(e.map(async(e,t)=>({name:e,bytes:new Uint8Array(await Yw(t?`recording2.mcap`:`recording.mcap`,n))}))))}else if(t){let e=await Yw(`run.json`,t).catch(()=>void 0);e&&(Nw.run=oe(new TextDecoder().decode(e),Nw)),new pt(Nw,`ws://${location.host}/${t}`),document.body.dataset.ready=`yes`}else Nw.link=`none`,Nw.changed()}addEventListener(`hashchange`,()=>location.reload()),Object.assign(window,{doppel:{store:Nw,layers:Pw,player:Fw}});