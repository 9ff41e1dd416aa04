/** Argument names of the OpenGL functions that the scenes call, as apitrace records them. */
const TEXT = `
glAlphaFunc(func,ref) glArrayElement(i) glBegin(mode) glBindTexture(target,texture) glBlendColor(red,green,blue,alpha)
glBlendEquation(mode) glBlendFunc(sfactor,dfactor) glBlendFuncSeparate(sfactorRGB,dfactorRGB,sfactorAlpha,dfactorAlpha)
glActiveTexture(texture) glClientActiveTexture(texture) glCallList(list) glCallLists(n,type,lists) glClear(mask)
glClearColor(red,green,blue,alpha) glClearStencil(s) glClearDepth(depth) glClipPlane(plane,equation)
glColor3f(red,green,blue) glColor4f(red,green,blue,alpha) glColor3ub(red,green,blue) glColor4ubv(v) glColor3fv(v)
glColorMask(red,green,blue,alpha) glColorMaterial(face,mode) glColorPointer(size,type,stride,pointer) glCullFace(mode)
glDeleteLists(list,range) glDepthFunc(func) glDepthMask(flag) glDepthRange(zNear,zFar) glDisable(cap)
glDisableClientState(array) glDrawArrays(mode,first,count) glDrawElements(mode,count,type,indices) glEdgeFlag(flag)
glEnable(cap) glEnableClientState(array) glEnd() glEndList() glFogf(pname,param) glFogfv(pname,params) glFogi(pname,param)
glFogCoordf(coord) glFrontFace(mode) glFrustum(left,right,bottom,top,zNear,zFar) glGenLists(range)
glGenTextures(n,textures) glInterleavedArrays(format,stride,pointer) glLightf(light,pname,param)
glLightfv(light,pname,params) glLightModelfv(pname,params) glLightModeli(pname,param) glLineWidth(width)
glListBase(base) glLoadIdentity() glLoadMatrixf(m) glLogicOp(opcode) glMaterialf(face,pname,param)
glMaterialfv(face,pname,params) glMatrixMode(mode) glMultiTexCoord2f(target,s,t) glMultMatrixf(m)
glNewList(list,mode) glNormal3f(nx,ny,nz) glNormalPointer(type,stride,pointer)
glOrtho(left,right,bottom,top,zNear,zFar) glPointParameterf(pname,param) glPointParameterfv(pname,params)
glPointSize(size) glPolygonMode(face,mode) glPolygonOffset(factor,units) glPolygonStipple(mask) glPopAttrib()
glPopClientAttrib() glPopMatrix() glPushAttrib(mask) glPushClientAttrib(mask) glPushMatrix() glRectf(x1,y1,x2,y2)
glRotatef(angle,x,y,z) glScalef(x,y,z) glScissor(x,y,width,height) glSecondaryColor3f(red,green,blue) glShadeModel(mode)
glStencilFunc(func,ref,mask) glStencilFuncSeparate(face,func,ref,mask) glStencilMask(mask)
glStencilOp(fail,zfail,zpass) glStencilOpSeparate(face,sfail,dpfail,dppass) glTexCoord2f(s,t) glTexCoord4f(s,t,r,q)
glTexCoordPointer(size,type,stride,pointer) glTexEnvf(target,pname,param) glTexEnvfv(target,pname,params)
glTexEnvi(target,pname,param) glTexGenfv(coord,pname,params) glTexGeni(coord,pname,param)
glTexImage2D(target,level,internalformat,width,height,border,format,type,pixels)
glTexParameteri(target,pname,param) glTranslatef(x,y,z) glVertex2f(x,y) glVertex3f(x,y,z) glVertex4f(x,y,z,w)
glVertexPointer(size,type,stride,pointer) glViewport(x,y,width,height) glCreateShader(type) glCreateProgram()
glShaderSource(shader,count,string,length) glCompileShader(shader) glAttachShader(program,shader) glLinkProgram(program)
glUseProgram(program) glGetUniformLocation(program,name) glUniform1f(location,v0) glUniform4f(location,v0,v1,v2,v3)
glRasterPos2f(x,y) glBitmap(width,height,xorig,yorig,xmove,ymove,bitmap) glDrawPixels(width,height,format,type,pixels)
glPixelZoom(xfactor,yfactor) glPixelStorei(pname,param) glWindowPos2f(x,y) glRasterPos3f(x,y,z)
glCopyPixels(x,y,width,height,type) glLineStipple(factor,pattern)
glMultiDrawArrays(mode,first,count,drawcount) glVertexAttrib4f(index,x,y,z,w)
`;

/** Names by function. */
export const SIGNATURES: ReadonlyMap<string, readonly string[]> = new Map(
  [...TEXT.matchAll(/(gl\w+)\(([^)]*)\)/g)].map(([, name, names]) => [
    name!,
    names === '' ? [] : names!.split(','),
  ]),
);
