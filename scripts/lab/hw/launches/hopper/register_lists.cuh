// SPDX-License-Identifier: Apache-2.0
// Lists of registers for wgmma: `LISTn` names the first n operands, `Dn` are the n elements of an array d.
#pragma once

#define D4F(n) "+f"(d[n]), "+f"(d[n + 1]), "+f"(d[n + 2]), "+f"(d[n + 3])
#define D4R(n) "+r"(d[n]), "+r"(d[n + 1]), "+r"(d[n + 2]), "+r"(d[n + 3])
#define D16F(n) D4F(n), D4F(n + 4), D4F(n + 8), D4F(n + 12)
#define D16R(n) D4R(n), D4R(n + 4), D4R(n + 8), D4R(n + 12)
#define OPERANDS16 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
#define OPERANDS32 OPERANDS16 ", %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define OPERANDS40 OPERANDS32 ", %32, %33, %34, %35, %36, %37, %38, %39"
#define OPERANDS48 OPERANDS32 ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47"
#define OPERANDS64 OPERANDS48 ", %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define OPERANDS80 OPERANDS64 ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79"
#define OPERANDS96 OPERANDS80 ", %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
#define OPERANDS112 OPERANDS96 ", %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111"
#define OPERANDS128 OPERANDS112 ", %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define LIST8 "{%0, %1, %2, %3, %4, %5, %6, %7}"
#define LIST12 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}"
#define LIST16 "{" OPERANDS16 "}"
#define LIST32 "{" OPERANDS32 "}"
#define LIST40 "{" OPERANDS40 "}"
#define LIST48 "{" OPERANDS48 "}"
#define LIST64 "{" OPERANDS64 "}"
#define LIST80 "{" OPERANDS80 "}"
#define LIST96 "{" OPERANDS96 "}"
#define LIST112 "{" OPERANDS112 "}"
#define LIST128 "{" OPERANDS128 "}"
